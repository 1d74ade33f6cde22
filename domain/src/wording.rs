//! Putting messages into words: one Fluent file per language under `locales/`.
//!
//! Every sentence is rendered as a small subset of HTML (`<b>`, `<i>`, `&lt; &gt; &amp;`). Markup comes from the
//! Fluent file alone; arguments are escaped, so what people write is shown exactly as they wrote it.
//! A sentence may have a second form for texts, under its id with `-sms` added.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use fluent_bundle::{FluentArgs, FluentError, FluentResource, FluentValue, concurrent::FluentBundle};
use include_dir::{Dir, include_dir};
use unic_langid::LanguageIdentifier;

use crate::{
    address::Style,
    calendar::{DateWords, is_end_of_day},
    lexicon::{Lexicon, normalise},
    message::{Arg, Say},
    show, sms_text,
};

static LOCALES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/locales");

/// The language that every other falls back to.
pub const FALLBACK: &str = "en";

/// One language: its sentences in both styles, and the words it understands.
pub struct Language {
    /// IETF tag, as in the file's name: `en`, `pt-BR`.
    pub tag: String,
    buttons: FluentBundle<FluentResource>,
    texts: FluentBundle<FluentResource>,
    /// What typed words mean.
    pub lexicon: Lexicon,
    /// Labels of choices without arguments, in both styles, as [`normalise`] gives them.
    labels: HashMap<Style, HashMap<String, String>>,
}

static LANGUAGES: LazyLock<BTreeMap<String, Language>> = LazyLock::new(|| {
    LOCALES
        .files()
        .filter_map(|file| {
            let tag = file.path().file_stem()?.to_str()?.to_owned();
            let source = file.contents_utf8()?;
            Some((tag.to_ascii_lowercase(), Language::read(&tag, source)))
        })
        .collect()
});

impl Language {
    fn read(tag: &str, source: &str) -> Self {
        let texts = bundle(tag, &sms_text::straighten(source));
        let lexicon = Lexicon::read(|id| plain_message(&texts, id));
        let buttons = bundle(tag, source);
        let mut language = Self { tag: tag.to_owned(), buttons, texts, lexicon, labels: HashMap::new() };
        for style in [Style::Buttons, Style::Texts] {
            let ids = source.lines().filter_map(|line| line.split_once(" =")).map(|(id, _)| id);
            for id in ids.filter(|id| id.starts_with("choice-") && !id.ends_with("-sms")) {
                let mut errors = Vec::new();
                let label = format_in(id, None, &language, style, &mut errors).filter(|_| errors.is_empty());
                let labels = language.labels.entry(style).or_default();
                labels.extend(label.map(|label| (id.to_owned(), normalise(&show::plain(&label)))));
            }
        }
        language
    }

    /// Whether somebody who typed `normal` (see [`normalise`]) typed this label of a choice; the "Yes" or "No" that it
    /// begins with may be missing.
    #[must_use]
    pub fn is_label(&self, label: &Say, normal: &str, style: Style) -> bool {
        let is = |label: &str| label == normal || self.lexicon.without_yes_or_no(label) == normal;
        if label.args.is_empty() {
            return self.labels.get(&style).and_then(|labels| labels.get(label.id)).is_some_and(|known| is(known));
        }
        is(&normalise(&show::plain(&render(label, self, style))))
    }

    fn bundle(&self, style: Style) -> &FluentBundle<FluentResource> {
        match style {
            Style::Buttons => &self.buttons,
            Style::Texts => &self.texts,
        }
    }
}

/// A file with a syntax error keeps its readable messages; a test holds the files to having none.
fn bundle(tag: &str, source: &str) -> FluentBundle<FluentResource> {
    let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(readable, _errors)| readable);
    let identifier: LanguageIdentifier = tag.parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![identifier]);
    // Isolation marks would be shown as boxes on old phones and turn every text into UCS-2.
    bundle.set_use_isolating(false);
    bundle.add_resource_overriding(resource);
    bundle
}

fn plain_message(bundle: &FluentBundle<FluentResource>, id: &str) -> Option<String> {
    let pattern = bundle.get_message(id)?.value()?;
    Some(bundle.format_pattern(pattern, None, &mut Vec::new()).into_owned())
}

/// The languages there are, in the order of their tags.
pub fn languages() -> impl Iterator<Item = &'static Language> {
    LANGUAGES.values()
}

/// The nearest language there is: the tag itself, its language without the region, or the fallback.
#[must_use]
pub fn language(tag: &str) -> &'static Language {
    let wanted = tag.to_ascii_lowercase();
    let base = wanted.split(['-', '_']).next().unwrap_or_default();
    [wanted.as_str(), base, FALLBACK]
        .into_iter()
        .find_map(|tag| LANGUAGES.get(tag))
        .or_else(|| LANGUAGES.values().next())
        .unwrap_or_else(|| unreachable!("locales/ holds at least one file"))
}

/// Whether there is a file for this tag or its language.
#[must_use]
pub fn is_known(tag: &str) -> bool {
    let wanted = tag.to_ascii_lowercase();
    let base = wanted.split(['-', '_']).next().unwrap_or_default();
    LANGUAGES.contains_key(&wanted) || LANGUAGES.contains_key(base)
}

/// Escapes what people wrote for the HTML subset.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

/// Renders one sentence. An unknown id shows itself: ugly, but nothing is lost; a test finds all of them.
#[must_use]
pub fn render(say: &Say, language: &Language, style: Style) -> String {
    let args: FluentArgs<'_> = say.args.iter().map(|(name, arg)| (*name, value(arg, language, style))).collect();
    format(say.id, Some(&args), language, style)
}

fn format(id: &str, args: Option<&FluentArgs<'_>>, language: &Language, style: Style) -> String {
    let mut errors = Vec::new();
    [language, self::language(FALLBACK)]
        .into_iter()
        .find_map(|language| format_in(id, args, language, style, &mut errors))
        .unwrap_or_else(|| id.to_owned())
}

fn format_in(
    id: &str,
    args: Option<&FluentArgs<'_>>,
    language: &Language,
    style: Style,
    errors: &mut Vec<FluentError>,
) -> Option<String> {
    let bundle = language.bundle(style);
    let for_texts = (style == Style::Texts).then(|| bundle.get_message(&format!("{id}-sms"))).flatten();
    let pattern = for_texts.or_else(|| bundle.get_message(id))?.value()?;
    Some(bundle.format_pattern(pattern, args, errors).into_owned())
}

/// What is wrong with a sentence in a language: an unknown id, an argument that the file wants and does not get.
#[cfg(test)]
pub(crate) fn faults(say: &Say, language: &Language, style: Style) -> Vec<String> {
    let mut faults: Vec<String> = say.args.iter().flat_map(|(_, arg)| faults_of_arg(arg, language, style)).collect();
    let args: FluentArgs<'_> = say.args.iter().map(|(name, arg)| (*name, value(arg, language, style))).collect();
    let mut errors = Vec::new();
    match format_in(say.id, Some(&args), language, style, &mut errors) {
        Some(text) if text.trim().is_empty() => faults.push(format!("{} is empty", say.id)),
        Some(_) => {}
        None => faults.push(format!("{} is unknown in {}", say.id, language.tag)),
    }
    faults.extend(errors.into_iter().map(|error| format!("{}: {error}", say.id)));
    faults
}

#[cfg(test)]
fn faults_of_arg(arg: &Arg, language: &Language, style: Style) -> Vec<String> {
    match arg {
        Arg::Say(say) => faults(say, language, style),
        Arg::Lines(says) => says.iter().flat_map(|say| faults(say, language, style)).collect(),
        Arg::List(items) => items.iter().flat_map(|item| faults_of_arg(item, language, style)).collect(),
        _ => Vec::new(),
    }
}

fn value<'a>(arg: &'a Arg, language: &Language, style: Style) -> FluentValue<'a> {
    match arg {
        Arg::Text(text) => FluentValue::String(escape(text)),
        Arg::Number(number) => FluentValue::from(*number),
        Arg::List(items) => list(items, language, style).into(),
        Arg::Moment { at, zone } => moment(*at, *zone, language, style).into(),
        Arg::Day { at, zone } => local(*at, *zone, "date-format", language, style).into(),
        Arg::Deadline { at, zone, in_full } => deadline((*at, *zone), *in_full, language, style).into(),
        Arg::Say(say) => render(say, language, style).into(),
        Arg::Lines(lines) => {
            lines.iter().map(|line| render(line, language, style)).collect::<Vec<_>>().join("\n").into()
        }
    }
}

fn rendered(arg: &Arg, language: &Language, style: Style) -> String {
    match value(arg, language, style) {
        FluentValue::String(text) => text.into_owned(),
        FluentValue::Number(number) => number.as_string().into_owned(),
        _ => String::new(),
    }
}

fn list(items: &[Arg], language: &Language, style: Style) -> String {
    let items: Vec<String> = items.iter().map(|item| rendered(item, language, style)).collect();
    match items.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => {
            let args: FluentArgs<'_> =
                [("first", FluentValue::from(first.join(", "))), ("last", FluentValue::from(last.as_str()))]
                    .into_iter()
                    .collect();
            format("list-and", Some(&args), language, style)
        }
    }
}

fn local(at: DateTime<Utc>, zone: Tz, pattern_id: &str, language: &Language, style: Style) -> String {
    let pattern = format(pattern_id, None, language, style);
    at.with_timezone(&zone).format_localized(&pattern, chrono_locale(language)).to_string()
}

fn chrono_locale(language: &Language) -> chrono::Locale {
    let locale = format("chrono-locale", None, language, Style::Buttons);
    chrono::Locale::try_from(locale.as_str()).unwrap_or(chrono::Locale::en_GB)
}

/// What dates are made of in this language and in the fallback's.
#[must_use]
pub fn date_words(own: &Language) -> DateWords {
    let mut words = DateWords::default();
    for language in [own, language(FALLBACK)] {
        let fillers = format("words-of-dates", None, language, Style::Buttons);
        words.add(chrono_locale(language), fillers.split(',').map(|word| word.trim().to_lowercase()));
    }
    words
}

fn in_zone(id: &str, when: String, zone: Tz, language: &Language, style: Style) -> String {
    let city = zone.name().rsplit('/').next().unwrap_or_default().replace('_', " ");
    let args: FluentArgs<'_> =
        [("when", FluentValue::from(when)), ("city", FluentValue::from(city))].into_iter().collect();
    format(id, Some(&args), language, style)
}

fn moment(at: DateTime<Utc>, zone: Tz, language: &Language, style: Style) -> String {
    in_zone("moment", local(at, zone, "moment-format", language, style), zone, language, style)
}

/// The stored instant is exclusive, so a midnight is the end of the day before; people get that day wrong otherwise.
fn deadline((at, zone): (DateTime<Utc>, Tz), in_full: bool, language: &Language, style: Style) -> String {
    let (day_format, format) =
        if in_full { ("full-date-format", "moment-format") } else { ("date-format", "deadline-format") };
    if is_end_of_day(at, zone).is_some() {
        let day = local(at - chrono::TimeDelta::seconds(1), zone, day_format, language, style);
        in_zone("end-of-day", day, zone, language, style)
    } else {
        in_zone("moment", local(at, zone, format, language, style), zone, language, style)
    }
}
