//! The story's tokens, and whether stores agree on them whatever is done.

use super::{moment, name, room};
use askback_hub::store::{Store, StoredToken};
use askback_hub::{Purpose, Role};
use proptest::collection::vec;
use proptest::prelude::*;

fn token(byte: u8, purpose: Purpose) -> StoredToken {
    StoredToken {
        hash: [byte; 32],
        purpose,
        role: Role::Answerer,
        name: name("rita"),
        room: Some(room("shop")),
        parent: None,
        created_at: moment(1),
        expires_at: Some(moment(60)),
        is_local: false,
    }
}

/// Three are kept, a link is redeemed once, and what is forgotten leaves its number to nobody.
pub(super) async fn issued_and_forgotten(store: &dyn Store) {
    let tokens = async || store.tokens().await.unwrap().tokens;
    assert_eq!(tokens().await, []);
    let version = store.tokens_version().await.unwrap();
    let plain = StoredToken {
        room: None,
        expires_at: None,
        role: Role::Admin,
        parent: Some(7),
        is_local: true,
        ..token(1, Purpose::Token)
    };
    let kept = [plain, token(2, Purpose::Login), token(3, Purpose::Login)];
    for (token, number) in kept.iter().zip(1..) {
        assert_eq!(store.add_token(token.clone(), vec![]).await.unwrap(), number);
    }
    assert_eq!(tokens().await, (1..).zip(kept.clone()).collect::<Vec<_>>());

    let session = token(4, Purpose::Session);
    assert_eq!(store.redeem_token(2, session.clone()).await.unwrap(), Some(4));
    assert_eq!(store.redeem_token(2, token(5, Purpose::Session)).await.unwrap(), None, "it was there once");
    assert_eq!(store.redeem_token(1, token(5, Purpose::Session)).await.unwrap(), None, "this is no link");
    let [plain, _, link] = kept;
    assert_eq!(tokens().await, [(1, plain.clone()), (3, link), (4, session)]);

    store.remove_tokens(vec![3, 4, 99]).await.unwrap();
    assert_eq!(tokens().await, [(1, plain)]);
    let changed = store.tokens_version().await.unwrap();
    assert_eq!(changed, version + 5, "every change raises the version, and nothing else does");
    assert_eq!(store.tokens().await.unwrap().version, changed);
    let replacing = token(6, Purpose::Session);
    assert_eq!(store.add_token(replacing.clone(), vec![1, 99]).await.unwrap(), 5, "a number is given once");
    assert_eq!(tokens().await, [(5, replacing)], "the token before it went in the same change");
    assert_eq!(store.tokens_version().await.unwrap(), changed + 1);
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Keep { hash: [u8; 32], is_login: bool, replaced: Vec<u64> },
    Redeem { login: u64, hash: [u8; 32] },
    Forget(Vec<u64>),
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (any::<([u8; 32], bool)>(), vec(1..9_u64, 0..2))
            .prop_map(|((hash, is_login), replaced)| Step::Keep { hash, is_login, replaced }),
        3 => (1..9_u64, any::<[u8; 32]>()).prop_map(|(login, hash)| Step::Redeem { login, hash }),
        1 => vec(1..9_u64, 0..3).prop_map(Step::Forget),
    ]
}

pub(super) async fn take(store: &dyn Store, step: Step) -> String {
    let hashed = |hash, purpose| StoredToken { hash, ..token(0, purpose) };
    let done = match step {
        Step::Keep { hash, is_login, replaced } => {
            let purpose = if is_login { Purpose::Login } else { Purpose::Token };
            store.add_token(StoredToken { is_local: !is_login, ..hashed(hash, purpose) }, replaced).await.map(Some)
        }
        Step::Redeem { login, hash } => store.redeem_token(login, hashed(hash, Purpose::Session)).await,
        Step::Forget(numbers) => store.remove_tokens(numbers).await.map(|()| None),
    };
    format!("{done:?} {:?}", store.tokens().await)
}
