//! A loopback server for the benchmarks of clients: one recorded answer, a thread for each
//! connection, nothing parsed that need not be.
//!
//! It prints its port on the first line of stdout, and ends when stdin does.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

const SYSTEM_ONE: &str = r#"{"model":"jev-1.13.0","answers":{"intent":{"type":"choice","choice":"look_up_booking","probabilities":{"look_up_booking":0.99,"change_booking":0.01,"dispute_charge":0.0,"other":0.0},"confidence":0.99},"travels_soon":{"type":"noul","noul":0.86}},"usage":{"input_tokens":371,"output_tokens":36}}"#;

const OPENAI: &str = r#"{"model":"gpt-6-luna","answers":[{"type":"choice","name":"intent","choice":"look_up_booking","confidence":0.99,"probabilities":[{"value":"look_up_booking","probability":0.99},{"value":"change_booking","probability":0.01},{"value":"dispute_charge","probability":0.0},{"value":"other","probability":0.0}]},{"type":"predicate","name":"travels_soon","probability":0.86}],"usage":{"input_tokens":371,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":0,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":371}}"#;

fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    writeln!(io::stdout(), "{}", listener.local_addr()?.port())?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || serve(stream));
        }
    });
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}

/// Answer every request of a connection until it ends.
fn serve(stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    let (system_one, openai) = (response(SYSTEM_ONE), response(OPENAI));
    let mut line = String::new();
    let mut body = Vec::new();
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let answer = if line.contains("/decisions") {
            &openai
        } else {
            &system_one
        };
        let mut length = 0;
        while line.trim_end() != "" {
            line.clear();
            reader.read_line(&mut line)?;
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        body.resize(length, 0);
        reader.read_exact(&mut body)?;
        writer.write_all(answer)?;
    }
}

fn response(body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-TypeSafe-Request-Id: req_1\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}
