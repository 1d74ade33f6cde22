//! The list, import and export, and text of guests wherever it is shown.

use super::*;

#[tokio::test]
async fn guests_are_found_as_people_type_names() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let form = host.page("/admin/guests/new").await;
    let zoe = [("first_name", "Zoë"), ("last_name", "O’Shaughnessy"), ("expected", "1")];
    assert_eq!(host.send("/admin/guests/new", &form, &zoe).await.status, 303);
    for (query, found) in [
        ("q=zoe", "1 guest<"),
        ("q=oshaughnessy", "1 guest<"),
        ("q=HOLLOWAY", "2 guests"),
        ("q=anna+holloway", "1 guest<"),
        ("q=%28", "0 guests"),
        ("q=Holloway+%28Ben%29", "1 guest<"),
        ("q=%28a%2B%29%2B%24", "0 guests"),
        ("q=b8tan7", "1 guest<"),
        ("q=.*", "0 guests"),
        ("q=%24ne", "0 guests"),
        ("filter=pending", "7 guests"),
        ("filter=coming", "0 guests"),
        ("filter=never", "6 guests"),
        ("filter=unreachable", "0 guests"),
        ("sort=name", "7 guests"),
        ("sort=seen&filter=coming", "0 guests"),
        ("page=99", "7 guests"),
        ("page=-1&sort=nonsense&filter=nonsense", "7 guests"),
    ] {
        host.page(&format!("/admin/guests?{query}")).await.shows(found);
    }
}

#[tokio::test]
async fn many_are_moved_at_once() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let (one, two) = (site.guest("H4TR8W").await.id.to_string(), site.guest("P9DX3C").await.id.to_string());
    let page = host.page("/admin/guests").await;
    let both = [("guest", one.as_str()), ("guest", two.as_str()), ("here", "/admin/guests?q=santos")];
    let choose = host.send("/admin/guests/bulk", &page, &[&both[..], &[("do", "move")]].concat()).await;
    choose.shows("Maria Santos, Maria Santos").shows("<option>P7</option>");
    let put = |group| [&both[..], &[group]].concat();
    let nothing = host.send("/admin/groups/put", &choose, &put(("group", ""))).await;
    assert_eq!(nothing.status, 422);
    nothing.shows("<a href=\"#group\">Group: Choose a group from the list").shows("id=\"about-group\"");
    // A slip of the pen makes no second group, and merges nobody into one by accident.
    host.send("/admin/groups/put", &choose, &put(("new_group", "p7 "))).await.shows("There is a group “P7” already");
    let long = "s".repeat(101);
    let long = host.send("/admin/groups/put", &choose, &put(("new_group", &long))).await;
    long.shows("101 characters long; shorten it").shows("href=\"#new_group\"").shows("value=\"sssss");
    let moved = host.send("/admin/groups/put", &choose, &put(("new_group", "santos"))).await;
    assert_eq!(moved.location(), "/admin/guests?q=santos&done=group&count=2");
    assert_eq!(site.guest("H4TR8W").await.group_id.unwrap().as_str(), "santos");
    // What cannot be taken back is asked first.
    let alone = [&both[..1], &[("do", "alone")]].concat();
    let asked = host.send("/admin/guests/bulk", &page, &alone).await;
    asked.shows("Take Maria Santos out of their group?").shows("value=\"alone\"");
    assert_eq!(site.guest("H4TR8W").await.group_id.unwrap().as_str(), "santos");
    let sure = [("sure", asked.field("sure")), ("guest", asked.field("guest")), ("do", "alone")];
    assert!(host.send("/admin/guests/bulk", &asked, &sure).await.location().ends_with("done=alone&count=1"));
    assert_eq!(site.guest("H4TR8W").await.group_id, None);
    let codes = [&both[..], &[("do", "codes")]].concat();
    let asked = host.send("/admin/guests/bulk", &page, &codes).await;
    asked.shows("Make new codes for 2 guests?").shows("The codes they have stop working");
    assert_eq!(site.guest("H4TR8W").await.token, "H4TR8W");
    let sure = [&codes[..], &[("sure", asked.field("sure"))]].concat();
    assert!(host.send("/admin/guests/bulk", &asked, &sure).await.location().ends_with("done=codes&count=2"));
    assert!(site.world.app.guest_with_code(None, "H4TR8W").await.is_err());
    let nobody = host.send("/admin/guests/bulk", &page, &[("do", "codes")]).await;
    assert_eq!(nobody.location(), "/admin/guests?done=none&count=0");
}

#[tokio::test]
async fn groups_are_merged_and_split() {
    let site = Site::new().await;
    let mut host = site.host().await;
    host.page("/admin/groups").await.shows("/admin/groups?name=P7").shows("3 guests");
    let page = host.page("/admin/groups?name=P7").await;
    page.shows("Anna Holloway").shows("Ben Holloway");
    let (anna, ben) = (site.guest("K7QF2M").await, site.guest("B3NH4Z").await);
    let ben_alone = [("guest", ben.id.to_string()), ("here", "/admin/groups?name=P7".to_owned())];
    let ben_alone: Vec<_> = ben_alone.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let split = [&ben_alone[..], &[("new_group", "Ben & <co>")]].concat();
    let split = host.send("/admin/groups/put", &page, &split).await;
    assert_eq!(split.location(), "/admin/groups?name=Ben+%26+%3Cco%3E&done=group&count=1");
    host.page(&split.location()).await.shows("1 guest put into the group.").shows("Ben Holloway");
    assert_eq!(site.guest("K7QF2M").await.group_id, anna.group_id);
    let merged = host.send("/admin/groups/put", &page, &[&ben_alone[..], &[("group", "P7")]].concat()).await;
    assert_eq!(merged.location(), "/admin/groups?name=P7&done=group&count=1");
    assert_eq!(host.get("/admin/groups?name=Ben+%26+%3Cco%3E").await.status, 404);
}

#[tokio::test]
async fn a_file_is_previewed_then_imported_and_exported() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let page = host.page("/admin/import").await;
    // As spreadsheets make it: byte order mark, semicolons, commas and line breaks in cells.
    let file =
        "\u{feff}\"code\";\"last_name\";\"notes\"\r\nK7QF2M;Halloway;\"nuts, milk\nand \"\"eggs\"\"\"\r\n;Núñez;\r\n";
    let preview = host.upload(&page, "guests.csv", file.as_bytes()).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    preview.shows("<b>1</b> new, <b>1</b> changed").shows("Halloway").shows("Núñez");
    assert_eq!(site.guest("K7QF2M").await.last_name, "Holloway");
    let confirm = [("content", preview.field("content")), ("mark", preview.field("mark")), ("file", "guests.csv")];
    let changed = host.send("/admin/import/confirm", &preview, &[confirm[0], ("mark", "other")]).await;
    changed.shows("The list has changed since you looked");
    host.send("/admin/import/confirm", &preview, &confirm).await.shows("1 guest added, 1 changed, 0 as before.");
    let anna = site.guest("K7QF2M").await;
    assert_eq!((anna.last_name.as_str(), anna.notes.as_deref()), ("Halloway", Some("nuts, milk\nand \"eggs\"")));
    let csv = host.page("/admin/export.csv").await;
    assert!(
        csv.text.starts_with("\u{feff}code,first_name") && csv.text.contains("Núñez") && csv.text.lines().count() >= 8
    );
    assert!(csv.header("content-disposition").contains("harbour-supper-guests.csv"));
    let back = host.upload(&page, "back.csv", csv.text.as_bytes()).await;
    back.shows("<b>0</b> new, <b>0</b> changed, <b>7</b> as before");
    let bad = host.upload(&page, "bad.csv", b"last_name,expected\nEk,many\n,2\n").await;
    assert_eq!(bad.status, 422);
    bad.shows("line 2").shows("line 3").shows("Nothing was changed");
    let empty = host.upload(&page, "empty.csv", b"").await;
    assert_eq!(empty.status, 422);
    empty.shows("<a href=\"#file\">Guest list: Choose a file first");
}

#[tokio::test]
async fn a_workbook_goes_out_and_comes_back() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let request = host.build(Method::GET, "/admin/export.xlsx").body(Body::empty()).unwrap();
    let response = site.router.clone().oneshot(request).await.unwrap();
    let workbook = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let page = host.page("/admin/import").await;
    let back = host.upload(&page, "guests.xlsx", &workbook).await;
    back.shows("<b>0</b> new, <b>0</b> changed, <b>6</b> as before");
}

#[tokio::test]
async fn script_in_any_text_of_guests_is_shown_as_text() {
    const SCRIPT: &str = "</td><script>alert(1)</script>";
    const IMAGE: &str = "<img src=x onerror=alert(1)>";
    const HANDLER: &str = "\" onmouseover=\"alert(1)";
    let site = Site::new().await;
    let mut host = site.host().await;
    let form = host.page("/admin/guests/new").await;
    let hostile =
        [("first_name", SCRIPT), ("last_name", HANDLER), ("expected", "1"), ("new_group", HANDLER), ("notes", IMAGE)];
    let added = host.send("/admin/guests/new", &form, &hostile).await;
    assert_eq!(added.status, 303, "{}", added.text);
    let path = added.location().split('?').next().unwrap().to_owned();
    let page = host.page(&path).await;
    let version = page.field("version").to_owned();
    let answer = [("version", version.as_str()), ("comes", "yes"), ("dietary", IMAGE)];
    assert_eq!(host.send(&format!("{path}/answer"), &page, &answer).await.status, 303);
    let import = host.page("/admin/import").await;
    let file = format!("last_name,first_name\n\"{IMAGE}\",\"{SCRIPT}\"\n");
    let mut pages = vec![host.upload(&import, "<script>.csv", file.as_bytes()).await];
    for shown in ["", "/guests", "/guests?q=%3Cscript%3E", "/groups", "/dietary", "/invitations", "/deliveries"] {
        pages.push(host.page(&format!("/admin{shown}")).await);
    }
    pages.push(host.page(&path).await);
    pages.push(host.page(&format!("{path}/edit")).await);
    for page in pages {
        assert!(!page.text.contains("<script>") && !page.text.contains("<img"), "{}", page.text);
        assert!(!page.text.contains("onmouseover=\""), "{}", page.text);
    }
}

#[tokio::test]
async fn columns_that_an_import_does_not_use_are_named() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let page = host.page("/admin/import").await;
    let preview = host.upload(&page, "guests.csv", b"Last Name,First Name,Party size\nSmith,Joe,2\n").await;
    preview.shows("<b>1</b> new").shows("column &#34;Party size&#34; is not used");
}

#[tokio::test]
async fn of_many_faults_in_a_file_the_first_are_shown_and_the_rest_is_counted() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let page = host.page("/admin/import").await;
    let file = format!("last_name,expected\n{}", "Ek,many\n".repeat(700));
    let refused = host.upload(&page, "guests.csv", file.as_bytes()).await;
    assert_eq!(refused.status, 422);
    let shown = refused.text.matches("class=\"error\"").count();
    assert!(shown < 510 && refused.text.contains(" more</li>"), "{shown} lines");
}

#[tokio::test]
async fn the_waiting_list_says_when_people_come_there() {
    let site = Site::new().await;
    let mut host = site.host().await;
    host.page("/admin/guests").await.shows("<option value=\"waitlisted\">Waiting list</option>");
    let nobody = host.page("/admin/guests?filter=waitlisted").await;
    nobody.shows("0 guests").shows("Nobody is on the waiting list").shows("Show everybody");
    assert!(!host.page("/admin/settings").await.text.contains("admission"));
}

#[tokio::test]
async fn a_file_that_can_be_looked_at_can_be_imported_and_a_larger_one_is_refused_with_a_remedy() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let page = host.page("/admin/import").await;
    // Notes that nobody reads: large, and few rows to compare.
    let mut file = b"last_name,notes,remarks\nEk,,\"".to_vec();
    file.resize(super::super::import::MOST_FILE_BYTES - 2, b'x');
    file.extend_from_slice(b"\"\n");
    let preview = host.upload(&page, "guests.csv", &file).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    let confirm = [("content", preview.field("content")), ("mark", preview.field("mark")), ("file", "guests.csv")];
    host.send("/admin/import/confirm", &preview, &confirm).await.shows("1 guest added");
    for more in [1, 8 * 1024 * 1024] {
        file.extend(std::iter::repeat_n(b'x', more));
        let refused = host.upload(&page, "guests.csv", &file).await;
        assert_eq!(refused.status, 413);
        refused.shows("larger than 16 MB").shows("split the file in two");
    }
}

#[tokio::test]
async fn cells_of_a_workbook_that_are_no_text_are_told_by_row() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let page = host.page("/admin/import").await;
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    let date = rust_xlsxwriter::Format::new().set_num_format("d mmm");
    sheet.write_string(0, 0, "last_name").unwrap();
    sheet.write_string(0, 1, "expected").unwrap();
    sheet.write_string(1, 0, "Ek").unwrap();
    sheet.write_number_with_format(1, 1, 46_145.0, &date).unwrap();
    let refused = host.upload(&page, "guests.xlsx", &workbook.save_to_buffer().unwrap()).await;
    assert_eq!(refused.status, 422);
    refused.shows("line 2: expected: the cell holds a date").shows("id=\"problems\"").shows("/admin/import#file");
}

#[tokio::test]
async fn what_is_no_pattern_is_searched_as_it_is_and_is_no_error() {
    let site = Site::new().await;
    let mut host = site.host().await;
    for (typed, found) in [("🎉", "0 guests"), ("%", "0 guests"), ("_", "0 guests"), ("Holloway 🎉", "2 guests")] {
        let query = form_urlencoded::Serializer::new(String::new()).append_pair("q", typed).finish();
        let page = host.page(&format!("/admin/guests?{query}")).await;
        page.shows(found).shows(&format!("name=\"q\" value=\"{typed}\""));
    }
}

#[tokio::test]
async fn the_kitchen_is_told_of_those_who_come_alone() {
    let site = Site::new().await;
    let mut host = site.host().await;
    for (code, comes, needs) in [("H4TR8W", "no", "no fish"), ("P9DX3C", "yes", "vegan")] {
        let path = format!("/admin/guests/{}", site.guest(code).await.id);
        let page = host.page(&path).await;
        let answer = [("version", page.field("version")), ("comes", comes), ("dietary", needs)];
        assert_eq!(host.send(&format!("{path}/answer"), &page, &answer).await.status, 303);
    }
    let kitchen = host.page("/admin/dietary").await;
    kitchen.shows("vegan").shows("1 person comes");
    assert!(!kitchen.text.contains("no fish"));
}
