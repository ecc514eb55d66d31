//! Every number is compared with the standard library's.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn assert_as_std(literal: &str) {
    let expected: f64 = literal.parse().unwrap();
    let text = format!("[{literal},");
    let (found, end) = double(text.as_bytes(), 1).unwrap();
    assert_eq!(found.to_bits(), expected.to_bits(), "{literal}");
    assert_eq!(end, text.len() - 1);
}

#[test]
fn numbers_are_the_nearest_doubles() {
    for literal in [
        "0",
        "-0",
        "0.0",
        "-0.0",
        "1",
        "1.0",
        "0.1",
        "0.3",
        "0.07",
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740992.5",
        "9007199254740993.5",
        "18446744073709551615",
        "9999999999999999999",
        "0.9999999999999999",
        "0.99999999999999999",
        "1e22",
        "1e-400",
        "1e400",
        "-2.5E+3",
        "0.000000000000000000000000001",
        "0.0000000000000000000000000001",
        "1234567812345678.1234567812345678",
        "4503599627370497.5",
        "4503599627370496.5",
        "0.50000000000000011102230246251565",
        "12345678",
        "123456789",
        "1.7976931348623157",
        "0.00003452348723423423123",
        "0.00000000000000000000000",
        "0.000000000000000000000000000000",
        "0.00000000012345678901234567890",
        "0.0000000003452348723423423",
        // Whole parts that are 0 in their last 64 bits.
        "18446744073709551616.5",
        "-36893488147419103232.25",
        "184467440737095516160000.0",
        // Twenty digits and more, those behind the nineteenth deciding.
        "0.99999999999999994448884876874217",
        "0.99999999999999994448884876874216",
        "9007199254740993.00000000000000000001",
        "0.30000000000000001665334536937735",
        // The least normal number, the largest subnormal one, the least of all, and their limits.
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1.0e18446744073709551617",
        "1.0e-18446744073709551617",
        "0e99999999999999999999",
        // Hard cases of other readers.
        "9007199254740991.5",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "0.500000000000000166533453693773481063544750213623046875",
        "179769313486231580793728971405301e277",
    ] {
        assert_as_std(literal);
    }
}

#[test]
fn what_is_no_number_is_none() {
    for text in [
        "", "-", "+1", ".5", "5.", "01", "-01", "1e", "1e+", "NaN", "Infinity", "x", "-.5",
    ] {
        assert_eq!(double(text.as_bytes(), 0), None, "{text}");
    }
    assert_eq!(double(b"00", 0), None);
    assert_eq!(double(b"0x", 0), Some((0.0, 1)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn literals_are_the_nearest_doubles(
        literal in "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,45})?([eE][+-]?[0-9]{1,4})?"
    ) {
        assert_as_std(&literal);
    }

    #[test]
    fn decimals_are_the_nearest_doubles(
        digits in any::<u64>(), down in 0..64_u32, places in 0..=27_usize
    ) {
        assert_as_std(&decimal((digits >> down).into(), places));
    }

    #[test]
    fn doubles_come_back(bits in any::<u64>()) {
        let number = f64::from_bits(bits);
        prop_assume!(number.is_finite());
        assert_as_std(&format!("{number:e}"));
        assert_as_std(&format!("{}", f64::from_bits(bits % 1.0_f64.to_bits())));
    }

    /// The middle of two neighbouring doubles, which both are as near as can be, and what is one
    /// unit of its last digit off it.
    #[test]
    fn middles_are_rounded_to_even(mantissa in 1_u128 << 52..1 << 53, places in 0..=12_usize) {
        let middle = (2 * mantissa + 1) * 5_u128.pow(u32::try_from(places).unwrap());
        for digits in middle - 1..=middle + 1 {
            assert_as_std(&decimal(digits, places));
        }
    }

    #[test]
    fn subnormal_numbers_come_back(bits in 0_u64..1 << 53) {
        assert_as_std(&format!("{:e}", f64::from_bits(bits)));
        assert_as_std(&format!("{:.1080}", f64::from_bits(bits)));
    }
}

/// A number with so many decimal places.
fn decimal(digits: u128, places: usize) -> String {
    let padded = format!("{digits:0width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    if places == 0 {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    }
}
