//! The table of cases, in the order of the suite.

use super::Reply;
use super::endpoint::LIMITS;
use std::slice::from_ref;

/// One conversation: what the client sends, and every reply.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) sent: Vec<u8>,
    pub(super) expected: Vec<Reply>,
}

const CONTINUATION: u8 = 0x00;
const TEXT: u8 = 0x01;
const BINARY: u8 = 0x02;
const CLOSE: u8 = 0x88;
const PING: u8 = 0x89;
const PONG: u8 = 0x8a;
const FINAL: u8 = 0x80;

const NORMAL: Reply = Reply::Close(1000);
const PROTOCOL_ERROR: Reply = Reply::Close(1002);
const NOT_UTF8: Reply = Reply::Close(1007);

/// A frame of a client.
fn frame(first: u8, payload: impl AsRef<[u8]>) -> Vec<u8> {
    const MASK: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];
    let payload = payload.as_ref();
    let mut frame = vec![first];
    match payload.len() {
        short @ 0..126 => frame.push(0x80 | u8::try_from(short).unwrap()),
        middle @ 126..65_536 => {
            frame.push(0x80 | 126);
            frame.extend(u16::try_from(middle).unwrap().to_be_bytes());
        }
        long => {
            frame.push(0x80 | 127);
            frame.extend((long as u64).to_be_bytes());
        }
    }
    frame.extend(MASK);
    frame.extend(payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}

/// A message in fragments.
fn fragments(first: u8, parts: &[&[u8]]) -> Vec<Vec<u8>> {
    let last = parts.len() - 1;
    let begin = |index: usize| {
        let opcode = if index == 0 { first } else { CONTINUATION };
        if index == last { opcode | FINAL } else { opcode }
    };
    parts.iter().enumerate().map(|(index, part)| frame(begin(index), part)).collect()
}

/// The closing handshake of a client.
fn close() -> Vec<u8> {
    close_with(1000, b"")
}

fn close_with(code: u16, reason: &[u8]) -> Vec<u8> {
    frame(CLOSE, [&code.to_be_bytes(), reason].concat())
}

fn text(text: &str) -> Reply {
    Reply::Text(text.to_owned())
}

fn pong(payload: &[u8]) -> Reply {
    Reply::Pong(payload.to_vec())
}

fn case(name: impl Into<String>, sent: &[Vec<u8>], expected: &[Reply]) -> Case {
    Case { name: name.into(), sent: sent.concat(), expected: expected.to_vec() }
}

/// A case whose client closes after everything else.
fn closed(name: impl Into<String>, sent: &[Vec<u8>], expected: &[Reply]) -> Case {
    case(name, &[sent, &[close()]].concat(), &[expected, &[NORMAL]].concat())
}

pub(super) fn framing() -> Vec<Case> {
    let lengths = [0, 125, 126, 127, 128, 65_535, 65_536];
    let texts = (1..).zip(lengths).map(|(number, length)| {
        let payload = "*".repeat(length);
        closed(format!("1.1.{number}"), &[frame(FINAL | TEXT, &payload)], &[text(&payload)])
    });
    let binaries = (1..).zip(lengths).map(|(number, length)| {
        let payload = vec![0xfe; length];
        closed(format!("1.2.{number}"), &[frame(FINAL | BINARY, &payload)], &[Reply::Binary(payload)])
    });
    texts.chain(binaries).collect()
}

pub(super) fn pings() -> Vec<Case> {
    let bytes = [0x00, 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0x00, 0xff];
    let numbered: Vec<String> = (0..10).map(|number| format!("payload-{number}")).collect();
    let many: Vec<Vec<u8>> = numbered.iter().map(|payload| frame(PING, payload)).collect();
    let pongs: Vec<Reply> = numbered.iter().map(|payload| pong(payload.as_bytes())).collect();
    vec![
        closed("2.1", &[frame(PING, b"")], &[pong(b"")]),
        closed("2.2", &[frame(PING, b"Hello, world!")], &[pong(b"Hello, world!")]),
        closed("2.3", &[frame(PING, bytes)], &[pong(&bytes)]),
        closed("2.4", &[frame(PING, [0xfe; 125])], &[pong(&[0xfe; 125])]),
        case("2.5", &[frame(PING, [0xfe; 126]), close()], &[PROTOCOL_ERROR]),
        closed("2.7", &[frame(PONG, b"")], &[]),
        closed("2.8", &[frame(PONG, b"unsolicited pong payload")], &[]),
        closed("2.9", &[frame(PONG, b"unsolicited"), frame(PING, b"ping payload")], &[pong(b"ping payload")]),
        closed("2.10", &many, &pongs),
    ]
}

pub(super) fn reserved_bits() -> Vec<Case> {
    let reserved = |bits: u8| bits << 4;
    let [hello, ping] = [frame(FINAL | TEXT, "Hello, world!"), frame(PING, b"")];
    let with = |bits| frame(FINAL | TEXT | reserved(bits), "Hello, world!");
    let echoed = [text("Hello, world!"), PROTOCOL_ERROR];
    vec![
        case("3.1", &[with(1), ping.clone()], &[PROTOCOL_ERROR]),
        case("3.2", &[hello.clone(), with(2), ping.clone()], &echoed),
        case("3.3", &[hello.clone(), with(3), ping.clone()], &echoed),
        case("3.4", &[hello, with(4), ping.clone()], &echoed),
        case("3.5", &[frame(FINAL | BINARY | reserved(5), [0xff; 8]), ping.clone()], &[PROTOCOL_ERROR]),
        case("3.6", &[frame(PING | reserved(6), "Hello, world!"), ping.clone()], &[PROTOCOL_ERROR]),
        case("3.7", &[frame(CLOSE | reserved(7), b""), ping], &[PROTOCOL_ERROR]),
    ]
}

pub(super) fn opcodes() -> Vec<Case> {
    let [hello, ping] = [frame(FINAL | TEXT, "Hello, world!"), frame(PING, b"")];
    let numbered = |section: u8, opcodes: [u8; 5]| {
        let (hello, ping) = (hello.clone(), ping.clone());
        (1..).zip(opcodes).flat_map(move |(number, opcode): (u8, u8)| {
            let (first, alone) = (FINAL | opcode, [PROTOCOL_ERROR]);
            let name = format!("4.{section}.{number}");
            // The suite sends an empty frame first of all, one with a payload, and one after a message.
            match number {
                1 => [case(name, &[frame(first, b""), ping.clone()], &alone)],
                2 => [case(name, &[frame(first, b"reserved"), ping.clone()], &alone)],
                _ => {
                    let sent = [hello.clone(), frame(first, b"reserved"), ping.clone()];
                    [case(name, &sent, &[text("Hello, world!"), PROTOCOL_ERROR])]
                }
            }
        })
    };
    numbered(1, [3, 4, 5, 6, 7]).chain(numbered(2, [11, 12, 13, 14, 15])).collect()
}

pub(super) fn fragmentation() -> Vec<Case> {
    let halves = fragments(TEXT, &[b"fragment1", b"fragment2"]);
    let whole = text("fragment1fragment2");
    let [first, second] = [halves[0].clone(), halves[1].clone()];
    let ping = frame(PING, b"ping payload");
    let lone = |first: u8| [frame(first, b"non-continuation payload"), frame(FINAL | TEXT, "Hello, world!")];
    let five = fragments(TEXT, &[b"fragment1", b"fragment2", b"fragment3", b"fragment4", b"fragment5"]);
    let with_pings =
        [&five[..2], &[frame(PING, b"pongme 1!")], &five[2..4], &[frame(PING, b"pongme 2!")], &five[4..]].concat();
    let answered = [pong(b"pongme 1!"), pong(b"pongme 2!"), text("fragment1fragment2fragment3fragment4fragment5")];
    vec![
        case("5.1", &[frame(PING & !FINAL, b"fragment1"), frame(FINAL, b"fragment2")], &[PROTOCOL_ERROR]),
        case("5.2", &[frame(PONG & !FINAL, b"fragment1"), frame(FINAL, b"fragment2")], &[PROTOCOL_ERROR]),
        closed("5.3", &halves, from_ref(&whole)),
        closed("5.6", &[first.clone(), ping, second.clone()], &[pong(b"ping payload"), whole.clone()]),
        case("5.9", &lone(FINAL | CONTINUATION), &[PROTOCOL_ERROR]),
        case("5.12", &lone(CONTINUATION), &[PROTOCOL_ERROR]),
        case(
            "5.15",
            &[first.clone(), second, frame(CONTINUATION, b"fragment3"), frame(FINAL | TEXT, b"fragment4")],
            &[whole, PROTOCOL_ERROR],
        ),
        case(
            "5.16",
            &[frame(CONTINUATION, b"fragment1"), frame(TEXT, b"fragment2"), frame(FINAL, b"fragment3")],
            &[PROTOCOL_ERROR],
        ),
        case(
            "5.17",
            &[frame(FINAL | CONTINUATION, b"fragment1"), frame(TEXT, b"fragment2"), frame(FINAL, b"fragment3")],
            &[PROTOCOL_ERROR],
        ),
        case("5.18", &[first, frame(FINAL | TEXT, b"fragment2")], &[PROTOCOL_ERROR]),
        closed("5.19", &with_pings, &answered),
    ]
}

/// Texts that are UTF-8, by the suite's numbers.
const VALID_UTF8: &[(&str, &[u8])] = &[
    ("6.5.1", b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5"),
    ("6.6.2", b"\xce\xba"),
    ("6.6.5", b"\xce\xba\xe1\xbd\xb9"),
    ("6.6.7", b"\xce\xba\xe1\xbd\xb9\xcf\x83"),
    ("6.6.9", b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc"),
    ("6.7.1", b"\x00"),
    ("6.7.2", b"\xc2\x80"),
    ("6.7.3", b"\xe0\xa0\x80"),
    ("6.7.4", b"\xf0\x90\x80\x80"),
    ("6.9.1", b"\x7f"),
    ("6.9.2", b"\xdf\xbf"),
    ("6.9.3", b"\xef\xbf\xbf"),
    ("6.9.4", b"\xf4\x8f\xbf\xbf"),
    ("6.11.1", b"\xed\x9f\xbf"),
    ("6.11.2", b"\xee\x80\x80"),
    ("6.11.3", b"\xef\xbf\xbd"),
    ("6.11.4", b"\xf4\x8f\xbf\xbf"),
    ("6.22.1", b"\xef\xbf\xbe"),
    ("6.22.2", b"\xef\xbf\xbf"),
    ("6.22.3", b"\xf0\x9f\xbf\xbe"),
    ("6.22.4", b"\xf0\x9f\xbf\xbf"),
    ("6.22.5", b"\xf0\xaf\xbf\xbe"),
    ("6.22.6", b"\xf0\xaf\xbf\xbf"),
    ("6.22.7", b"\xf0\xbf\xbf\xbe"),
    ("6.22.8", b"\xf0\xbf\xbf\xbf"),
    ("6.22.9", b"\xf1\x8f\xbf\xbe"),
    ("6.22.10", b"\xf1\x8f\xbf\xbf"),
    ("6.22.11", b"\xf1\x9f\xbf\xbe"),
    ("6.22.12", b"\xf1\x9f\xbf\xbf"),
    ("6.22.13", b"\xf1\xaf\xbf\xbe"),
    ("6.22.14", b"\xf1\xaf\xbf\xbf"),
    ("6.22.15", b"\xf1\xbf\xbf\xbe"),
    ("6.22.16", b"\xf1\xbf\xbf\xbf"),
    ("6.22.17", b"\xf2\x8f\xbf\xbe"),
    ("6.22.18", b"\xf2\x8f\xbf\xbf"),
    ("6.22.19", b"\xf2\x9f\xbf\xbe"),
    ("6.22.20", b"\xf2\x9f\xbf\xbf"),
    ("6.22.21", b"\xf2\xaf\xbf\xbe"),
    ("6.22.22", b"\xf2\xaf\xbf\xbf"),
    ("6.22.23", b"\xf2\xbf\xbf\xbe"),
    ("6.22.24", b"\xf2\xbf\xbf\xbf"),
    ("6.22.25", b"\xf3\x8f\xbf\xbe"),
    ("6.22.26", b"\xf3\x8f\xbf\xbf"),
    ("6.22.27", b"\xf3\x9f\xbf\xbe"),
    ("6.22.28", b"\xf3\x9f\xbf\xbf"),
    ("6.22.29", b"\xf3\xaf\xbf\xbe"),
    ("6.22.30", b"\xf3\xaf\xbf\xbf"),
    ("6.22.31", b"\xf3\xbf\xbf\xbe"),
    ("6.22.32", b"\xf3\xbf\xbf\xbf"),
    ("6.22.33", b"\xf4\x8f\xbf\xbe"),
    ("6.22.34", b"\xf4\x8f\xbf\xbf"),
    ("6.23.1", b"\xef\xbf\xb9"),
    ("6.23.2", b"\xef\xbf\xba"),
    ("6.23.3", b"\xef\xbf\xbb"),
    ("6.23.4", b"\xef\xbf\xbc"),
    ("6.23.5", b"\xef\xbf\xbd"),
    ("6.23.6", b"\xef\xbf\xbe"),
    ("6.23.7", b"\xef\xbf\xbf"),
];

/// Texts that are not, by the suite's numbers.
const INVALID_UTF8: &[(&str, &[u8])] = &[
    ("6.3.1", b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80edited"),
    ("6.6.1", b"\xce"),
    ("6.6.3", b"\xce\xba\xe1"),
    ("6.6.4", b"\xce\xba\xe1\xbd"),
    ("6.6.6", b"\xce\xba\xe1\xbd\xb9\xcf"),
    ("6.6.8", b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce"),
    ("6.6.10", b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce"),
    ("6.8.1", b"\xf8\x88\x80\x80\x80"),
    ("6.8.2", b"\xfc\x84\x80\x80\x80\x80"),
    ("6.10.1", b"\xf7\xbf\xbf\xbf"),
    ("6.10.2", b"\xfb\xbf\xbf\xbf\xbf"),
    ("6.10.3", b"\xfd\xbf\xbf\xbf\xbf\xbf"),
    ("6.11.5", b"\xf4\x90\x80\x80"),
    ("6.12.1", b"\x80"),
    ("6.12.2", b"\xbf"),
    ("6.12.3", b"\x80\xbf"),
    ("6.12.4", b"\x80\xbf\x80"),
    ("6.12.5", b"\x80\xbf\x80\xbf"),
    ("6.12.6", b"\x80\xbf\x80\xbf\x80"),
    ("6.12.7", b"\x80\xbf\x80\xbf\x80\xbf"),
    ("6.12.8", b"\x80\x81\x82\x83\x84\x85\x86\x87\xb8\xb9\xba\xbb\xbc\xbd\xbe\xbf"),
    ("6.13.1", b"\xc0 \xc1 \xc2 \xc3 \xdc \xdd \xde \xdf "),
    ("6.13.2", b"\xe0 \xe1 \xe2 \xe3 \xec \xed \xee \xef "),
    ("6.13.3", b"\xf0 \xf1 \xf2 \xf3 \xf4 \xf5 \xf6 \xf7 "),
    ("6.13.4", b"\xf8 \xf9 \xfa \xfb "),
    ("6.13.5", b"\xfc \xfd "),
    ("6.14.1", b"\xc0"),
    ("6.14.2", b"\xe0\x80"),
    ("6.14.3", b"\xf0\x80\x80"),
    ("6.14.4", b"\xf8\x80\x80\x80"),
    ("6.14.5", b"\xfc\x80\x80\x80\x80"),
    ("6.14.6", b"\xdf"),
    ("6.14.7", b"\xef\xbf"),
    ("6.14.8", b"\xf7\xbf\xbf"),
    ("6.14.9", b"\xfb\xbf\xbf\xbf"),
    ("6.14.10", b"\xfd\xbf\xbf\xbf\xbf"),
    ("6.15.1", b"\xc0\xe0\x80\xf0\x80\x80\xf8\x80\x80\x80\xfc\x80\x80\x80\x80\xdf\xef\xbf\xf7\xbf\xbf"),
    ("6.16.1", b"\xfe"),
    ("6.16.2", b"\xff"),
    ("6.16.3", b"\xfe\xfe\xff\xff"),
    ("6.17.1", b"\xc0\xaf"),
    ("6.17.2", b"\xe0\x80\xaf"),
    ("6.17.3", b"\xf0\x80\x80\xaf"),
    ("6.17.4", b"\xf8\x80\x80\x80\xaf"),
    ("6.17.5", b"\xfc\x80\x80\x80\x80\xaf"),
    ("6.18.1", b"\xc1\xbf"),
    ("6.18.2", b"\xe0\x9f\xbf"),
    ("6.18.3", b"\xf0\x8f\xbf\xbf"),
    ("6.18.4", b"\xf8\x87\xbf\xbf\xbf"),
    ("6.18.5", b"\xfc\x83\xbf\xbf\xbf\xbf"),
    ("6.19.1", b"\xc0\x80"),
    ("6.19.2", b"\xe0\x80\x80"),
    ("6.19.3", b"\xf0\x80\x80\x80"),
    ("6.19.4", b"\xf8\x80\x80\x80\x80"),
    ("6.19.5", b"\xfc\x80\x80\x80\x80\x80"),
    ("6.20.1", b"\xed\xa0\x80"),
    ("6.20.2", b"\xed\xad\xbf"),
    ("6.20.3", b"\xed\xae\x80"),
    ("6.20.4", b"\xed\xaf\xbf"),
    ("6.20.5", b"\xed\xb0\x80"),
    ("6.20.6", b"\xed\xbe\x80"),
    ("6.20.7", b"\xed\xbf\xbf"),
    ("6.21.1", b"\xed\xa0\x80\xed\xb0\x80"),
    ("6.21.2", b"\xed\xa0\x80\xed\xbf\xbf"),
    ("6.21.3", b"\xed\xad\xbf\xed\xb0\x80"),
    ("6.21.4", b"\xed\xad\xbf\xed\xbf\xbf"),
    ("6.21.5", b"\xed\xae\x80\xed\xb0\x80"),
    ("6.21.6", b"\xed\xae\x80\xed\xbf\xbf"),
    ("6.21.7", b"\xed\xaf\xbf\xed\xb0\x80"),
    ("6.21.8", b"\xed\xaf\xbf\xed\xbf\xbf"),
];

pub(super) fn utf8() -> Vec<Case> {
    let long = "Hello-µ@ßöäüàá-UTF-8!!";
    let single: Vec<&[u8]> = long.as_bytes().chunks(1).collect();
    let invalid = INVALID_UTF8[0].1;
    let single_invalid: Vec<&[u8]> = invalid.chunks(1).collect();
    // The suite waits for the end of the connection before it sends the rest: nothing after the first wrong byte is needed.
    let (before, wrong) = (b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5", b"\xf4\x90");
    let begun = |announced: &[u8], arrived: usize| frame(FINAL | TEXT, announced)[..6 + arrived].to_vec();
    let mut cases = vec![
        closed("6.1.1", &[frame(FINAL | TEXT, b"")], &[text("")]),
        closed("6.1.2", &fragments(TEXT, &[b"", b"", b""]), &[text("")]),
        closed("6.1.3", &fragments(TEXT, &[b"", b"middle frame payload", b""]), &[text("middle frame payload")]),
        closed("6.2.1", &[frame(FINAL | TEXT, long)], &[text(long)]),
        closed("6.2.2", &fragments(TEXT, &[&long.as_bytes()[..7], &long.as_bytes()[7..]]), &[text(long)]),
        closed("6.2.3", &fragments(TEXT, &single), &[text(long)]),
        case("6.3.2", &fragments(TEXT, &single_invalid), &[NOT_UTF8]),
        case("6.4.1", &[frame(TEXT, before), frame(CONTINUATION, [wrong, &b"\x80\x80"[..]].concat())], &[NOT_UTF8]),
        case("6.4.2", &[frame(TEXT, [before, &wrong[..1]].concat()), frame(CONTINUATION, b"\x90")], &[NOT_UTF8]),
        case("6.4.3", &[begun(&[before, &wrong[..], b"\x80\x80edited"].concat(), before.len() + 2)], &[NOT_UTF8]),
        case(
            "6.4 before the wrong byte",
            &[begun(&[before, &wrong[..], b"\x80\x80edited"].concat(), before.len() + 1)],
            &[],
        ),
    ];
    cases.extend(VALID_UTF8.iter().map(|(name, bytes)| {
        let expected = Reply::Text(String::from_utf8(bytes.to_vec()).unwrap());
        closed(*name, &[frame(FINAL | TEXT, bytes)], &[expected])
    }));
    cases.extend(INVALID_UTF8.iter().map(|(name, bytes)| case(*name, &[frame(FINAL | TEXT, bytes)], &[NOT_UTF8])));
    cases
}

pub(super) fn closing() -> Vec<Case> {
    let hello = frame(FINAL | TEXT, "Hello World!");
    let [begun, rest] = <[Vec<u8>; 2]>::try_from(fragments(TEXT, &[b"fragment1", b"fragment2"])).unwrap();
    let large = "BAsd7&jh23".repeat(6_554);
    let mut cases = vec![
        case("7.1.1", &[hello.clone(), close()], &[text("Hello World!"), NORMAL]),
        case("7.1.2", &[close(), close()], &[NORMAL]),
        case("7.1.3", &[close(), frame(PING, b"")], &[NORMAL]),
        case("7.1.4", &[close(), hello.clone()], &[NORMAL]),
        case("7.1.5", &[begun, close(), rest], &[NORMAL]),
        case(
            "7.1.6",
            &[frame(FINAL | TEXT, &large), hello, close(), frame(PING, b"")],
            &[text(&large), text("Hello World!"), NORMAL],
        ),
        case("7.3.1", &[frame(CLOSE, b"")], &[NORMAL]),
        case("7.3.2", &[frame(CLOSE, b"a")], &[PROTOCOL_ERROR]),
        case("7.3.3", &[close()], &[NORMAL]),
        case("7.3.4", &[close_with(1000, b"Hello World!")], &[NORMAL]),
        case("7.3.5", &[close_with(1000, &[b'*'; 123])], &[NORMAL]),
        case("7.3.6", &[close_with(1000, &[b'*'; 124])], &[PROTOCOL_ERROR]),
        case("7.5.1", &[close_with(1000, INVALID_UTF8[0].1)], &[NOT_UTF8]),
    ];
    let valid = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999];
    cases.extend(
        (1..).zip(valid).map(|(number, code)| case(format!("7.7.{number}"), &[close_with(code, b"")], &[NORMAL])),
    );
    // Registered after the suite was written.
    cases.extend([1012, 1013, 1014].map(|code| case(format!("7.7 with {code}"), &[close_with(code, b"")], &[NORMAL])));
    let invalid = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999];
    cases.extend(
        (1..)
            .zip(invalid)
            .map(|(number, code)| case(format!("7.9.{number}"), &[close_with(code, b"")], &[PROTOCOL_ERROR])),
    );
    cases.push(case("7.9 with 1015", &[close_with(1015, b"")], &[PROTOCOL_ERROR]));
    // The suite leaves the result of these open.
    cases.push(case("7.13.1", &[close_with(5000, b"")], &[PROTOCOL_ERROR]));
    cases.push(case("7.13.2", &[close_with(65_535, b"")], &[PROTOCOL_ERROR]));
    cases
}

pub(super) fn limits() -> Vec<Case> {
    let whole = "*".repeat(LIMITS.message_bytes);
    let halves: Vec<&[u8]> = whole.as_bytes().chunks(LIMITS.message_bytes / 2).collect();
    let parts: Vec<&[u8]> = whole.as_bytes().chunks(LIMITS.message_bytes / LIMITS.message_frames).collect();
    let binary = || Reply::Binary(whole.clone().into_bytes());
    let too_large = |sent: Vec<Vec<u8>>| move |name: &str| case(name, &sent, &[Reply::Close(1009)]);
    let more = [frame(BINARY, halves[0]), frame(CONTINUATION, halves[1]), frame(FINAL, b"x")];
    let announced = frame(FINAL | BINARY, [whole.as_bytes(), b"x"].concat())[..14].to_vec();
    let endless = [0x82, 0xff, 127, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0].to_vec();
    let mut many = vec![frame(BINARY, b"")];
    many.extend(vec![frame(CONTINUATION, b""); LIMITS.message_frames]);
    vec![
        closed("9.1.1", &[frame(FINAL | TEXT, &whole)], &[text(&whole)]),
        closed("9.2.1", &[frame(FINAL | BINARY, &whole)], &[binary()]),
        closed("9.3.1", &fragments(TEXT, &parts), &[text(&whole)]),
        closed("9.4.1", &fragments(BINARY, &parts), &[binary()]),
        closed("9.7.1", &vec![frame(FINAL | TEXT, b"*"); 1_000], &vec![text("*"); 1_000]),
        too_large(more.to_vec())("9 with one byte more in a third frame"),
        too_large(vec![announced])("9 with one byte more announced"),
        too_large(vec![endless])("9 with the largest length"),
        case("9 with a length beyond it", &[[0x82, 0xff, 128, 0, 0, 0, 0, 0, 0, 0].to_vec()], &[PROTOCOL_ERROR]),
        case("9 with a length in more bytes than it needs", &[[0x82, 0xfe, 0, 125].to_vec()], &[PROTOCOL_ERROR]),
        case("9 with one frame more", &many, &[Reply::Close(1008)]),
    ]
}

pub(super) fn automatic_fragmentation() -> Vec<Case> {
    let payload = "*".repeat(65_536);
    let parts: Vec<&[u8]> = payload.as_bytes().chunks(1_300).collect();
    vec![closed("10.1.1", &fragments(TEXT, &parts), &[text(&payload)])]
}

pub(super) fn compression() -> Vec<Case> {
    // The first reserved bit marks a compressed message.
    vec![case("12 without its extension", &[frame(FINAL | TEXT | 0x40, b"\xaa\x56\x00"), close()], &[PROTOCOL_ERROR])]
}
