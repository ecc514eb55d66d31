//! JSON as `serde_json` writes it, compact.

use super::text::plain_end;

/// Writes a string: what need not be escaped stands as it is.
pub fn push_text(json: &mut String, text: &str) {
    json.push('"');
    let mut rest = text;
    loop {
        let (plain, from) = rest
            .split_at_checked(plain_end(rest.as_bytes(), 0))
            .unwrap_or_default();
        json.push_str(plain);
        let Some(&byte) = from.as_bytes().first() else {
            break;
        };
        push_escape(json, byte);
        rest = from.get(1..).unwrap_or_default();
    }
    json.push('"');
}

fn push_escape(json: &mut String, byte: u8) {
    const HEX: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let short = match byte {
        b'"' => '"',
        b'\\' => '\\',
        0x08 => 'b',
        0x0c => 'f',
        b'\n' => 'n',
        b'\r' => 'r',
        b'\t' => 't',
        _ => {
            json.push_str("\\u00");
            for digit in [byte >> 4, byte & 0xf] {
                json.push(HEX.get(usize::from(digit)).copied().unwrap_or('0'));
            }
            return;
        }
    };
    json.push('\\');
    json.push(short);
}

/// Writes a finite number with the fewest digits that read back as the same one.
pub fn push_double(json: &mut String, number: f64) {
    json.push_str(zmij::Buffer::new().format_finite(number));
}

/// Writes a whole number.
pub fn push_whole(json: &mut String, number: u64) {
    json.push_str(itoa::Buffer::new().format(number));
}
