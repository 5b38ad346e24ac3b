//! Every embedded file can be served.

use super::*;
use flate2::read::GzDecoder;
use std::io::Read;

#[test]
fn every_file_has_a_type_and_unpacks_to_itself() {
    for file in FILES.iter() {
        assert!(FileType::of(file.path).is_some(), "{}: add its type to `FileType::of`", file.path);
        if let Some(packed) = file.packed() {
            let mut unpacked = Vec::new();
            GzDecoder::new(&**packed).read_to_end(&mut unpacked).unwrap();
            assert!(unpacked == file.content && packed.len() < file.content.len(), "{}", file.path);
        }
    }
}

#[test]
fn another_content_has_another_tag() {
    let [one, same, other] = [("a.js", "one"), ("b.js", "one"), ("a.js", "other")]
        .map(|(path, content)| File::new(path, content.into()).tag().clone());
    assert!(one == same && one != other);
}

#[test]
fn what_would_not_get_smaller_is_sent_as_it_is() {
    assert_eq!(File::new("tiny.js", "1".into()).packed(), None);
    assert_eq!(File::new("icon.png", vec![0; 1_000].into()).packed(), None, "its format has packed it");
    assert!(File::new("zeros.js", vec![b'0'; 1_000].into()).packed().is_some_and(|packed| packed.len() < 100));
}
