//! Workbooks (XLSX) for those whose spreadsheet is not to be argued with: the same columns as the guest file.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{Cursor, Seek},
};

use calamine::{Data, Reader, Xlsx, XlsxError as Unreadable};
use domain::guest_file::{Column, LineError};
use rust_xlsxwriter::{Format, Workbook, XlsxError};

/// <https://www.iana.org/assignments/media-types/application/vnd.openxmlformats-officedocument.spreadsheetml.sheet>
pub const MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/// Every workbook is a ZIP archive.
const ZIP: &[u8] = b"PK\x03\x04";
/// Further to the right there is nothing but slips of the hand.
const MOST_COLUMNS: u32 = 1_000;

/// A guest list as text.
#[derive(Debug, Default)]
pub struct Read {
    pub csv: Vec<u8>,
    /// Cells that say something else than what they show.
    pub faults: Vec<LineError>,
}

/// A workbook's first sheet as CSV; anything else as it is. Of a workbook at most `most` bytes of text are read, and a
/// piece more.
///
/// # Errors
/// What is wrong with the workbook, and what to do.
pub fn as_csv(content: Vec<u8>, most: usize) -> Result<Read, String> {
    if !content.starts_with(ZIP) {
        return Ok(Read { csv: content, faults: Vec::new() });
    }
    let unreadable = |error: Unreadable| {
        format!("The workbook cannot be read ({error}). Save it again as XLSX or CSV, and choose that file.")
    };
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(content)).map_err(unreadable)?;
    let Some(name) = workbook.sheet_names().into_iter().next() else {
        return Err("The workbook has no sheet.".to_owned());
    };
    let mut cells = workbook.worksheet_cells_reader(&name).map_err(unreadable)?;
    let mut reader = SheetReader::default();
    // Cell by cell: a sheet with something in its last corner is no larger than what is in it.
    while let Some(cell) = cells.next_cell().map_err(unreadable)? {
        let ((row, column), value) = (cell.get_position(), Data::from(cell.get_value().clone()));
        if value == Data::Empty {
            continue;
        }
        if column >= MOST_COLUMNS {
            return Err(format!("There is something far to the right in row {} of the sheet. Delete it.", row + 1));
        }
        if row < reader.row {
            return Err("The rows of the workbook are not in order. Save it again as XLSX or CSV.".to_owned());
        }
        reader.go_to(row);
        reader.cells.insert(column, value);
        if reader.csv.len() > most {
            break;
        }
    }
    reader.end_row();
    Ok(Read { csv: reader.csv.into_bytes(), faults: reader.faults })
}

/// Turns cells into lines. A row of the sheet is a line of the text, blank ones too: faults are found by their number.
#[derive(Default)]
struct SheetReader {
    csv: String,
    faults: Vec<LineError>,
    /// The columns that the first row with something in it names.
    header: Option<BTreeMap<u32, Column>>,
    row: u32,
    cells: BTreeMap<u32, Data>,
}

impl SheetReader {
    fn go_to(&mut self, row: u32) {
        while self.row < row {
            self.end_row();
            self.row += 1;
        }
    }

    fn end_row(&mut self) {
        let cells = std::mem::take(&mut self.cells);
        if let Some(header) = &self.header {
            let line = self.row as usize + 1;
            let fault = |(place, cell): (&u32, &Data)| {
                Some(LineError { line, column: Some(*header.get(place)?), message: fault(cell)? })
            };
            self.faults.extend(cells.iter().filter_map(fault));
        } else if !cells.is_empty() {
            let named = |(place, cell): (&u32, &Data)| Some((*place, Column::of_header(&text(cell))?));
            self.header = Some(cells.iter().filter_map(named).collect());
        }
        let width = cells.last_key_value().map_or(0, |(last, _)| last + 1);
        for place in 0..width {
            if place > 0 {
                self.csv.push(',');
            }
            self.csv.push('"');
            let text = cells.get(&place).map(text).unwrap_or_default();
            self.csv.push_str(&text.replace('"', "\"\""));
            self.csv.push('"');
        }
        self.csv.push_str("\r\n");
    }
}

/// What to do about a cell that does not hold what somebody typed into it.
fn fault(cell: &Data) -> Option<String> {
    match cell {
        Data::Error(error) => Some(format!("the cell says {error}: its formula has no result; write the value itself")),
        Data::DateTime(_) | Data::DateTimeIso(_) | Data::DurationIso(_) => Some(
            "the cell holds a date or a time, which spreadsheets make of texts such as 3-5; format the column as text \
             and write it again"
                .to_owned(),
        ),
        _ => None,
    }
}

/// A cell as it would be typed. Spreadsheets keep codes and counts that look like numbers as numbers.
fn text(cell: &Data) -> String {
    match cell {
        Data::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        // Where they stand in a column of ours they are told; in another they say nothing.
        cell if fault(cell).is_some() => String::new(),
        Data::Empty => String::new(),
        other => other.to_string(),
    }
}

/// A guest file on its way into a workbook. Every cell is text: nothing in it is ever evaluated. What was written is
/// in an unnamed temporary file, not in memory.
pub struct Writer {
    workbook: Workbook,
    bold: Format,
    row: u32,
}

impl Writer {
    /// A workbook with one empty sheet.
    ///
    /// # Errors
    /// When there can be no temporary file.
    pub fn new() -> Result<Self, XlsxError> {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet_with_constant_memory()?;
        sheet.set_name("Guests")?;
        sheet.set_freeze_panes(1, 0)?;
        Ok(Self { workbook, bold: Format::new().set_bold(), row: 0 })
    }

    /// Adds lines of a guest file; the first of all is the header.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&mut self, lines: &str) -> Result<(), XlsxError> {
        let sheet = self.workbook.worksheet_from_index(0)?;
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(lines.trim_start_matches('\u{feff}').as_bytes());
        for record in reader.records().map_while(Result::ok) {
            for (column, cell) in (0..).zip(record.iter()) {
                if self.row == 0 {
                    sheet.write_string_with_format(self.row, column, cell, &self.bold)?;
                } else {
                    sheet.write_string(self.row, column, cell)?;
                }
            }
            self.row += 1;
        }
        Ok(())
    }

    /// The whole workbook, from its beginning.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<File, XlsxError> {
        let mut file = tempfile::tempfile()?;
        self.workbook.save_to_writer(&mut file)?;
        file.rewind()?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::io::Read as _;

    fn from_csv(file: &str) -> Vec<u8> {
        let mut writer = Writer::new().unwrap();
        // In pieces, as an export writes it.
        for line in file.split_inclusive("\r\n") {
            writer.write(line).unwrap();
        }
        let mut workbook = Vec::new();
        writer.finish().unwrap().read_to_end(&mut workbook).unwrap();
        workbook
    }

    /// A workbook with these cells.
    fn workbook(fill: impl FnOnce(&mut rust_xlsxwriter::Worksheet) -> Result<(), XlsxError>) -> Vec<u8> {
        let mut workbook = Workbook::new();
        fill(workbook.add_worksheet()).unwrap();
        workbook.save_to_buffer().unwrap()
    }

    #[test]
    fn a_workbook_comes_back_as_the_file_it_was_made_from() {
        let file = "\u{feff}code,last_name,notes\r\nK7QF2MXA,\"Holl\"\"oway, Ms\",\"two\nlines\"\r\n0123,Ek,'=1+1\r\n";
        let read = as_csv(from_csv(file), usize::MAX).unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(read.csv.as_slice());
        let records: Vec<Vec<String>> =
            reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(records[1], ["K7QF2MXA", "Holl\"oway, Ms", "two\nlines"]);
        assert_eq!(records[2], ["0123", "Ek", "'=1+1"]);
        assert_eq!(read.faults, []);
    }

    #[test]
    fn what_is_no_workbook_is_left_alone_or_refused_with_a_remedy() {
        assert_eq!(as_csv(b"last_name\nEk\n".to_vec(), 99).unwrap().csv, b"last_name\nEk\n");
        assert!(as_csv(b"PK\x03\x04 not really".to_vec(), 99).unwrap_err().contains("Save it again"));
    }

    #[test]
    fn dates_and_errors_are_told_by_row_and_column_where_the_column_counts() {
        let date = Format::new().set_num_format("yyyy-mm-dd");
        let content = workbook(|sheet| {
            // Two rows of nothing above the list.
            for (column, name) in ["Last name", "Expected", "Notes", "Birthday"].into_iter().enumerate() {
                sheet.write_string(2, column as u16, name)?;
            }
            sheet.write_string(3, 0, "Ek")?;
            // What was typed as 3-5.
            sheet.write_number_with_format(3, 1, 46_145.0, &date)?;
            sheet.write_number_with_format(3, 3, 30_000.0, &date)?;
            sheet.write_string(4, 0, "Berg")?;
            sheet.write_formula(4, 2, rust_xlsxwriter::Formula::new("=NA()").set_result("#N/A"))?;
            sheet.write_number(4, 1, 2)?;
            Ok(())
        });
        let read = as_csv(content, usize::MAX).unwrap();
        let said: Vec<String> = read.faults.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].starts_with("line 4: expected: the cell holds a date"), "{said:?}");
        assert!(said[1].starts_with("line 5: notes: the cell says #N/A"), "{said:?}");
        let csv = String::from_utf8(read.csv).unwrap();
        assert_eq!(csv.lines().last().unwrap(), "\"Berg\",\"2\",\"\"");
    }

    #[test]
    fn a_cell_in_the_last_corner_is_no_room_full_of_nothing() {
        let far_down = workbook(|sheet| {
            sheet.write_string(0, 0, "last_name")?;
            sheet.write_string(1_048_575, 0, "Ek")?;
            Ok(())
        });
        let read = as_csv(far_down, usize::MAX).unwrap();
        assert!(read.csv.len() < 3_000_000 && read.csv.ends_with(b"\"Ek\"\r\n"), "{} bytes", read.csv.len());
        let far_right = workbook(|sheet| {
            sheet.write_string(0, 0, "last_name")?;
            sheet.write_string(6, 16_383, "slip")?;
            Ok(())
        });
        assert!(as_csv(far_right, usize::MAX).unwrap_err().contains("far to the right in row 7"));
    }
}
