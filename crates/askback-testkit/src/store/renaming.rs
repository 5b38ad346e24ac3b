//! The story's renamed asker.

use super::{new, question, request};
use crate::sample::{moment, name};
use askback_core::Name;
use askback_hub::Scope;
use askback_hub::store::{AskerRename, Created, Sameness, Store, StoredToken};
use askback_hub::{AuditQuery, Query};
use askback_hub::{Purpose, Role};

/// An asker's token, requests and events get its new name, and rooms are made anew.
pub(super) async fn one_asker_renamed(store: &dyn Store) {
    let token = StoredToken {
        hash: [90; 32],
        purpose: Purpose::Token,
        role: Role::Asker,
        name: name("carl"),
        room: None,
        parent: None,
        created_at: moment(1),
        expires_at: None,
        is_local: true,
    };
    let number = store.add_token(token.clone(), vec![]).await.unwrap();
    let keyed = || request(r#"{"type": "text", "message": "Keyed?", "key": "once"}"#);
    for (id, asker, request) in
        [(20, "carl", question("Plain?")), (21, "carl", keyed()), (22, "dora", question("Hers?"))]
    {
        assert!(matches!(store.create(new(id, asker, "cellar", request)).await.unwrap(), Created::New(_)));
    }
    let (identity, renamed) = (store.open().await.unwrap().identity, name("carl's agents"));
    let inbox = store.snapshot(Scope::Inbox).await.unwrap();
    assert!(inbox.is_some());
    store.rename_asker(number, AskerRename { from: name("carl"), to: renamed.clone() }).await.unwrap();

    let kept = store.tokens().await.unwrap().tokens.into_iter().find(|(kept, _)| *kept == number).unwrap().1;
    assert_eq!(kept, StoredToken { name: renamed.clone(), ..token });
    let of = async |asker: Name| {
        let page = store.list(Query { asker: Some(asker), limit: 10, ..Query::default() }).await.unwrap();
        page.items.iter().map(|record| record.request.questions()[0].message().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of(name("carl")).await, [""; 0]);
    assert_eq!(of(renamed.clone()).await, ["Keyed?", "Plain?"]);
    assert_eq!(of(name("dora")).await, ["Hers?"], "the others keep theirs");
    let events = async |by: Name| {
        let query = AuditQuery { by: Some(by), limit: 10, ..AuditQuery::default() };
        store.events(query).await.unwrap().items.iter().map(|event| event.by().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((events(name("carl")).await.len(), events(renamed.clone()).await), (0, vec![renamed.to_string(); 2]));
    let again = store.create(new(23, renamed.as_str(), "cellar", keyed())).await.unwrap();
    assert!(
        matches!(again, Created::Same(Sameness::Key, _)),
        "a key leads to its request under the new name: {again:?}"
    );
    assert_ne!(store.open().await.unwrap().identity, identity);
    assert_eq!(store.snapshot(Scope::Inbox).await.unwrap(), None);

    // A key that the new name has used is not used twice.
    let taken = store.create(new(24, "carl", "cellar", keyed())).await.unwrap();
    assert!(matches!(taken, Created::New(_)));
    store.rename_asker(number, AskerRename { from: name("carl"), to: renamed.clone() }).await.unwrap();
    assert_eq!((of(name("carl")).await.len(), of(renamed).await.len()), (1, 2));
}
