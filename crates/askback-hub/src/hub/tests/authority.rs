//! A token acts only while it is valid (S8): every write checks it, and a revocation waits for the writes that have begun.

use super::{answer, asked, hub};
use crate::error::HubError;
use crate::hub::{Ask, Hub, Signature};
use crate::query::Query;
use crate::testing::{name, question, room};
use crate::token::{NewToken, Purpose, Role, Token};
use askback_core::{State, Surface};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout};

async fn token(hub: &Hub, role: Role, who: &str) -> Arc<Token> {
    hub.issue(new(role, who)).await.unwrap().0
}

fn new(role: Role, who: &str) -> NewToken {
    let name = name(who);
    NewToken { purpose: Purpose::Token, role, name, room: None, expires_at: None, issued_by: None }
}

// S8
#[tokio::test]
async fn revoked_token_writes_nothing() {
    let hub = hub().await;
    let id = asked(&hub, question("Name?")).await;
    let (person, asker) = (token(&hub, Role::Admin, "rita").await, token(&hub, Role::Asker, "ada").await);
    let bystander = token(&hub, Role::Answerer, "paul").await;
    for token in [&person, &asker] {
        hub.revoke(token.number).await.unwrap().unwrap();
    }
    let by = || Signature::by_token(&person, Surface::Http);
    let minute = Duration::from_secs(60);
    sleep(2 * minute).await;
    let asking = Ask::by_token(question("Again?"), &asker, room("shop"));
    let refused = [
        ("answer", answer(&hub, &id, "shop", by()).await.map(drop)),
        ("decline", hub.decline(&id, None, by()).await.map(drop)),
        ("cancel", hub.cancel(&id, None, by()).await.map(drop)),
        ("dismiss", hub.dismiss(Query::default(), minute, None, by()).await.map(drop)),
        ("ask", hub.ask(asking).await.map(drop)),
        ("issue", hub.issue_as(&person, new(Role::Admin, "eve")).await.map(drop)),
        ("revoke", hub.revoke_as(&person, bystander.number).await.map(drop)),
    ];
    for (what, refused) in refused {
        assert!(matches!(refused, Err(HubError::Revoked)), "{what}: {refused:?}");
    }
    assert!(matches!(hub.outcome(&id).await.unwrap(), State::Pending(_)));
    assert_eq!(hub.pending(), 1, "nothing was asked");
    assert_eq!(hub.tokens().iter().map(|token| token.number).collect::<Vec<_>>(), [bystander.number]);
}

// S8
#[tokio::test]
async fn expired_token_writes_nothing() {
    let hub = hub().await;
    let id = asked(&hub, question("Name?")).await;
    let until = crate::testing::moment(60);
    let (person, _) = hub.issue(NewToken { expires_at: Some(until), ..new(Role::Answerer, "rita") }).await.unwrap();
    sleep(Duration::from_secs(60)).await;
    let answered = answer(&hub, &id, "shop", Signature::by_token(&person, Surface::Http)).await;
    assert!(matches!(answered, Err(HubError::Revoked)), "{answered:?}");
}

// S8
#[tokio::test]
async fn revocation_returns_after_the_writes_that_have_begun() {
    let hub = hub().await;
    let token = token(&hub, Role::Answerer, "rita").await;
    let permit = token.permit().await.unwrap();
    let revoking = {
        let (hub, number) = (hub.clone(), token.number);
        tokio::spawn(async move { hub.revoke(number).await })
    };
    timeout(Duration::from_secs(60), token.gone()).await.expect("it is revoked at once");
    let mut late = std::pin::pin!(token.permit());
    assert!(timeout(Duration::from_secs(60), &mut late).await.is_err(), "new writes queue behind the revocation");
    assert!(!revoking.is_finished(), "and the revocation waits for the write that has begun");
    drop(permit);
    revoking.await.unwrap().unwrap().unwrap();
    assert!(matches!(late.await, Err(HubError::Revoked)));
}
