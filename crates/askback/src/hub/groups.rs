//! Groups that have one user alone, as Debian and Fedora make for each user: no other user can write what such a group can write.

use std::fs::File;
use std::io::Read;

/// Bytes that are read of each table. A group that is not in them counts as shared.
const TABLE_BYTES: u64 = 1 << 20;

/// Whether the user is the only member of the group, by the tables of this machine. A group that they don't have may have members
/// elsewhere, and counts as shared.
pub(super) fn is_private(group: u32, user: u32) -> bool {
    let table = |path: &str| {
        let mut text = String::new();
        let read = File::open(path).and_then(|file| file.take(TABLE_BYTES).read_to_string(&mut text));
        read.map(|_| text).unwrap_or_default()
    };
    is_private_in(&table("/etc/group"), &table("/etc/passwd"), group, user)
}

/// The same, by these tables: see group(5) and passwd(5).
fn is_private_in(groups: &str, users: &str, group: u32, user: u32) -> bool {
    let number = |field: Option<&&str>| field.and_then(|field| field.parse::<u32>().ok());
    let mut name = None;
    for line in users.lines() {
        let fields: Vec<&str> = line.split(':').collect();
        let is_user = number(fields.get(2)) == Some(user);
        if number(fields.get(3)) == Some(group) && !is_user {
            return false;
        }
        if is_user {
            name = fields.first().copied();
        }
    }
    let mut is_listed = false;
    for line in groups.lines() {
        let fields: Vec<&str> = line.split(':').collect();
        if number(fields.get(2)) != Some(group) {
            continue;
        }
        is_listed = true;
        let mut members =
            fields.get(3).into_iter().flat_map(|members| members.split(',')).filter(|member| !member.is_empty());
        if !members.all(|member| Some(member) == name) {
            return false;
        }
    }
    is_listed && name.is_some()
}

#[cfg(test)]
mod tests {
    use super::is_private_in;

    const GROUPS: &str = "root:x:0:\nada:x:1000:\neve:x:1001:eve\nstaff:x:50:ada,eve\nteam:x:60:\nbuild:x:70:eve\n";
    const USERS: &str = "root:x:0:0:root:/:/bin/sh\nada:x:1000:1000::/:/bin/sh\neve:x:1001:1001::/:/bin/sh\n\
                         bob:x:1002:60::/:/bin/sh\nada2:x:1003:60::/:/bin/sh\n";

    // S4
    #[test]
    fn group_is_private_if_the_user_is_its_only_member() {
        for (group, user, expected) in [
            (1_000, 1_000, true),
            (1_001, 1_001, true),
            (0, 0, true),
            (1_001, 1_000, false),
            (50, 1_000, false),
            (60, 1_002, false),
            (70, 1_000, false),
            (1_000, 4_242, false),
            (4_242, 1_000, false),
        ] {
            assert_eq!(is_private_in(GROUPS, USERS, group, user), expected, "{group} {user}");
        }
        assert!(!is_private_in("", "", 1_000, 1_000) && !is_private_in("ada:x:1000", USERS, 1_000, 4_242));
    }
}
