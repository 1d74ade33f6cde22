//! Workbooks (XLSX) for those whose spreadsheet is not to be argued with: the same columns as the guest file.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use rust_xlsxwriter::{Format, Workbook, XlsxError};

/// <https://www.iana.org/assignments/media-types/application/vnd.openxmlformats-officedocument.spreadsheetml.sheet>
pub const MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/// Every workbook is a ZIP archive.
const ZIP: &[u8] = b"PK\x03\x04";

/// A workbook's first sheet as CSV; anything else as it is.
///
/// # Errors
/// What is wrong with the workbook, and what to do.
pub fn as_csv(content: Vec<u8>) -> Result<Vec<u8>, String> {
    if !content.starts_with(ZIP) {
        return Ok(content);
    }
    let unreadable = |error: calamine::XlsxError| {
        format!("The workbook cannot be read ({error}). Save it again as XLSX or CSV, and choose that file.")
    };
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(content)).map_err(unreadable)?;
    let Some(sheet) = workbook.worksheet_range_at(0) else { return Err("The workbook has no sheet.".to_owned()) };
    let sheet = sheet.map_err(unreadable)?;
    let mut csv = String::new();
    for row in sheet.rows() {
        for (place, cell) in row.iter().enumerate() {
            if place > 0 {
                csv.push(',');
            }
            csv.push('"');
            csv.push_str(&text(cell).replace('"', "\"\""));
            csv.push('"');
        }
        csv.push_str("\r\n");
    }
    Ok(csv.into_bytes())
}

/// A cell as it would be typed. Spreadsheets keep codes and counts that look like numbers as numbers.
fn text(cell: &Data) -> String {
    match cell {
        Data::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        // A cell that cannot be evaluated says nothing.
        Data::Error(_) | Data::Empty => String::new(),
        other => other.to_string(),
    }
}

/// A guest file as a workbook. Every cell is text: nothing in it is ever evaluated.
///
/// # Errors
/// When it cannot be written.
pub fn from_csv(file: &[u8]) -> Result<Vec<u8>, XlsxError> {
    let text = String::from_utf8_lossy(file);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let mut workbook = Workbook::new();
    let bold = Format::new().set_bold();
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    sheet.set_name("Guests")?;
    sheet.set_freeze_panes(1, 0)?;
    for (row, record) in (0..).zip(reader.records().map_while(Result::ok)) {
        for (column, cell) in (0..).zip(record.iter()) {
            if row == 0 {
                sheet.write_string_with_format(row, column, cell, &bold)?;
            } else {
                sheet.write_string(row, column, cell)?;
            }
        }
    }
    workbook.save_to_buffer()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workbook_comes_back_as_the_file_it_was_made_from() {
        let file =
            "\u{feff}code,last_name,notes\r\nK7QF2MXA,\"Holl\"\"oway, Ms\",\"two\r\nlines\"\r\n0123,Ek,'=1+1\r\n";
        let csv = as_csv(from_csv(file.as_bytes()).unwrap()).unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_slice());
        let records: Vec<Vec<String>> =
            reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(records[1], ["K7QF2MXA", "Holl\"oway, Ms", "two\r\nlines"]);
        assert_eq!(records[2], ["0123", "Ek", "'=1+1"]);
    }

    #[test]
    fn what_is_no_workbook_is_left_alone_or_refused_with_a_remedy() {
        assert_eq!(as_csv(b"last_name\nEk\n".to_vec()).unwrap(), b"last_name\nEk\n");
        assert!(as_csv(b"PK\x03\x04 not really".to_vec()).unwrap_err().contains("Save it again"));
    }
}
