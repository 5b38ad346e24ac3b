//! Who answers, cancels and dismisses which requests.

use super::{CONFIRM, TestService, code};
use askback_api::{AnswerBody, CancelBody, ClaimedSurface, DismissBody, ProblemCode};
use askback_core::{Role, Surface};
use std::time::Duration;
use tokio::time::sleep;

const APPROVAL: &str = r#"{"type": "approval", "message": "Deploy?"}"#;

fn answer(text: &str, client: Option<&str>) -> AnswerBody {
    AnswerBody {
        responses: Some(vec![text.to_owned()]),
        surface: Some(ClaimedSurface::Terminal),
        client: client.map(str::to_owned),
        ..AnswerBody::default()
    }
}

// S1
#[tokio::test]
async fn asker_may_answer_only_where_some_dialog_is_accepted() {
    for (dialogs, refused) in [(&[][..], Some(ProblemCode::Forbidden)), (&["editor"], None)] {
        let hub = TestService::new(dialogs).await;
        let (ada, rita) = (hub.caller(Role::Asker, "ada", None).await, hub.caller(Role::Answerer, "rita", None).await);
        assert_eq!(code(hub.service.may_answer(&ada)), refused, "{dialogs:?}");
        assert_eq!(code(hub.service.may_answer(&rita)), None);
    }
}

// S1
#[tokio::test]
async fn dialog_answers_if_its_client_is_accepted_and_for_the_requests_of_its_asker() {
    let hub = TestService::new(&["editor"]).await;
    let ada = hub.caller(Role::Asker, "ada", None).await;
    let neighbor = hub.caller(Role::Asker, "bob", Some("shop")).await;
    let record = hub.asked(&ada, "shop", CONFIRM).await;
    let id = record.id.as_str();
    for (caller, client) in [(&ada, None), (&ada, Some("Editor")), (&ada, Some("browser")), (&neighbor, Some("editor"))]
    {
        let refused = hub.service.answer(caller, id, answer("yes", client)).await;
        assert_eq!(code(refused), Some(ProblemCode::Forbidden), "{client:?}");
    }
    let (_, outcome) = hub.service.answer(&ada, id, answer("yes", Some("editor"))).await.unwrap();
    assert_eq!((outcome.by(), outcome.surface()), ("ada", Surface::Mcp));
}

// S1
#[tokio::test]
async fn dialog_never_decides_an_approval_and_a_person_does() {
    let hub = TestService::new(&["editor"]).await;
    let (ada, rita) = (hub.caller(Role::Asker, "ada", None).await, hub.caller(Role::Answerer, "rita", None).await);
    let record = hub.asked(&ada, "shop", APPROVAL).await;
    let id = record.id.as_str();
    let refused = hub.service.answer(&ada, id, answer("approve", Some("editor"))).await;
    assert_eq!(code(refused), Some(ProblemCode::Forbidden));
    let (_, outcome) = hub.service.answer(&rita, id, answer("approve", None)).await.unwrap();
    assert_eq!((outcome.by(), outcome.surface()), ("rita", Surface::Terminal));
}

// S1
#[tokio::test]
async fn asker_cancels_its_own_requests_and_a_person_any() {
    let hub = TestService::new(&[]).await;
    let ada = hub.caller(Role::Asker, "ada", None).await;
    let neighbor = hub.caller(Role::Asker, "bob", Some("shop")).await;
    let rita = hub.caller(Role::Answerer, "rita", None).await;
    for (caller, refused) in [(&ada, None), (&neighbor, Some(ProblemCode::Forbidden)), (&rita, None)] {
        let record = hub.asked(&ada, "shop", CONFIRM).await;
        let cancelled = hub.service.cancel(caller, record.id.as_str(), CancelBody::default()).await;
        assert_eq!(code(cancelled), refused, "{}", caller.name());
    }
}

// L9
#[tokio::test(start_paused = true)]
async fn dismissing_cancels_the_requests_of_the_room_that_no_asker_waits_for() {
    let hub = TestService::new(&[]).await;
    let (ada, rita) = (hub.caller(Role::Asker, "ada", None).await, hub.caller(Role::Answerer, "rita", None).await);
    for place in ["shop", "shop", "garden"] {
        hub.asked(&ada, place, CONFIRM).await;
    }
    sleep(Duration::from_secs(61)).await;
    hub.asked(&ada, "shop", CONFIRM).await;
    let dismiss = async |seconds: f64, place: Option<&str>| {
        let room = place.map(str::to_owned);
        let body = DismissBody { unwaited_for: seconds, room, reason: None, surface: None };
        hub.service.dismiss(&rita, body).await
    };
    for seconds in [0.5, 1e10, f64::NAN] {
        assert_eq!(code(dismiss(seconds, None).await), Some(ProblemCode::InvalidParameter), "{seconds}");
    }
    assert_eq!(dismiss(60.0, Some("shop")).await.unwrap(), 2);
    assert_eq!(dismiss(60.0, None).await.unwrap(), 1, "that of the garden");
}
