//! Splitting text into records, whatever the delimiter and the line ends.
//!
//! Written by hand because spreadsheets mix line ends within one file, and because hosts need the physical line of
//! a fault and to be told of a quote that is never closed; the csv crate counts line feeds and reads on to the end.

use std::{iter::Peekable, str::Chars};

/// One record: a line of the table, which may span several lines of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    /// The physical line on which it begins, from 1.
    pub line: usize,
    pub cells: Vec<String>,
    /// A cell that cannot be read as written: the line and what to do.
    pub fault: Option<(usize, String)>,
}

impl Record {
    /// An empty line, or cells that hold nothing (spreadsheets write `,,,` for a row that was emptied).
    pub fn is_blank(&self) -> bool {
        self.fault.is_none() && self.cells.iter().all(|cell| cell.trim().is_empty())
    }
}

/// The records of a text, blank ones included.
pub(super) struct Records<'a> {
    rest: Peekable<Chars<'a>>,
    delimiter: char,
    line: usize,
}

/// The records of `text`, whose first line is line `first_line` of the file.
pub(super) fn records(text: &str, delimiter: char, first_line: usize) -> Records<'_> {
    Records { rest: text.chars().peekable(), delimiter, line: first_line }
}

enum CellEnd {
    Cell,
    Record,
}

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        self.rest.peek()?;
        let mut record = Record { line: self.line, cells: Vec::new(), fault: None };
        loop {
            let (cell, end) = self.cell(&mut record.fault);
            record.cells.push(cell);
            if matches!(end, CellEnd::Record) {
                return Some(record);
            }
        }
    }
}

impl Records<'_> {
    fn cell(&mut self, fault: &mut Option<(usize, String)>) -> (String, CellEnd) {
        let mut cell = String::new();
        loop {
            match self.rest.next() {
                None => return (cell, CellEnd::Record),
                Some(c) if c == self.delimiter => return (cell, CellEnd::Cell),
                Some(c @ ('\r' | '\n')) => {
                    self.finish_line(c);
                    return (cell, CellEnd::Record);
                }
                // A space before the quote is a habit of those who type such files.
                Some('"') if cell.trim().is_empty() => {
                    cell.clear();
                    self.quoted(&mut cell, fault);
                    return (cell, self.after_quote(fault));
                }
                Some(c) => cell.push(c),
            }
        }
    }

    fn quoted(&mut self, cell: &mut String, fault: &mut Option<(usize, String)>) {
        let opened = self.line;
        loop {
            match self.rest.next() {
                None => {
                    let message = "the quote that opens on this line is never closed; close it, and double every quote \
                                   inside a quoted cell";
                    fault.get_or_insert((opened, message.to_owned()));
                    return;
                }
                Some('"') if self.rest.next_if_eq(&'"').is_some() => cell.push('"'),
                Some('"') => return,
                Some(c @ ('\r' | '\n')) => {
                    cell.push(c);
                    if self.finish_line(c) {
                        cell.push('\n');
                    }
                }
                Some(c) => cell.push(c),
            }
        }
    }

    fn after_quote(&mut self, fault: &mut Option<(usize, String)>) -> CellEnd {
        loop {
            match self.rest.next() {
                None => return CellEnd::Record,
                Some(c) if c == self.delimiter => return CellEnd::Cell,
                Some(c @ ('\r' | '\n')) => {
                    self.finish_line(c);
                    return CellEnd::Record;
                }
                Some(c) if c.is_whitespace() => {}
                Some(_) => {
                    let message = "text follows a closing quote; double every quote inside a quoted cell";
                    fault.get_or_insert((self.line, message.to_owned()));
                }
            }
        }
    }

    /// Counts the line that ended in `c`; takes the line feed of a CR LF and says whether there was one.
    fn finish_line(&mut self, c: char) -> bool {
        self.line += 1;
        c == '\r' && self.rest.next_if_eq(&'\n').is_some()
    }
}
