//! Bytes to text: the encodings that spreadsheets save in.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::{LineError, Notice};

const UTF_8_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];
/// The first bytes of a ZIP archive, which an .xlsx or .ods file is.
const ZIP_MAGIC: &[u8] = b"PK\x03\x04";
const REMEDY: &str = "Save it again as \"CSV UTF-8\"";

/// The text of a file, without its byte order mark.
pub(super) fn decode(bytes: &[u8], notices: &mut Vec<Notice>) -> Result<String, LineError> {
    if bytes.starts_with(ZIP_MAGIC) {
        return Err(LineError::new(1, format!("this is a spreadsheet file, not CSV. {REMEDY}")));
    }
    let text = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) if encoding == UTF_16LE || encoding == UTF_16BE => {
            let (text, damaged) = encoding.decode_without_bom_handling(&bytes[mark..]);
            if damaged {
                return Err(LineError::new(1, format!("the file is damaged: it is not valid UTF-16. {REMEDY}")));
            }
            text.into_owned()
        }
        _ => eight_bit(bytes, notices)?,
    };
    match text.chars().position(|c| c == '\0') {
        Some(_) => Err(LineError::new(1, format!("the file holds NUL characters: it is not text in UTF-8. {REMEDY}"))),
        None => Ok(text),
    }
}

fn eight_bit(bytes: &[u8], notices: &mut Vec<Notice>) -> Result<String, LineError> {
    let marked = bytes.strip_prefix(UTF_8_MARK);
    match (std::str::from_utf8(marked.unwrap_or(bytes)), marked) {
        (Ok(text), _) => Ok(text.to_owned()),
        (Err(error), Some(marked)) => {
            let line = 1 + marked[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            let message = format!("the file says that it is UTF-8, but this line is not. {REMEDY}");
            Err(LineError::new(line, message))
        }
        (Err(_), None) => {
            let message = "the file is not UTF-8 and was read as Windows-1252, as older spreadsheets save it. If \
                           letters look wrong, save it again as \"CSV UTF-8\"";
            notices.push(Notice { line: None, message: message.to_owned() });
            Ok(WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned())
        }
    }
}
