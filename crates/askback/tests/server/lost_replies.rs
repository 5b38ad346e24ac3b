//! A hub that is killed after it has stored an answer and before its reply arrives.

use crate::ASKBACK;
use askback_api::{AnswerBody, HubApi, PersonApi};
use askback_client::Client;
use askback_core::RequestId;
use askback_testkit::hub_process::{DataDir, HubProcess};
use askback_testkit::proxy::LossyProxy;
use askback_testkit::wait::PATIENCE;
use serde_json::json;
use std::net::TcpListener;

/// Starts the hub behind the proxy, whose address is its public one.
fn serve(data: &DataDir, proxy: &LossyProxy) -> HubProcess {
    let address = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap();
    let public = format!("http://{}", proxy.address);
    let mut server = data.serve_with(&["--listen", &address.to_string(), "--public-url", &public]);
    server.address = address;
    proxy.relay_to(address);
    server
}

// L1, L2
#[test]
fn answer_whose_reply_was_lost_with_the_hub_is_recognised_on_retry_without_key() {
    let (data, proxy) = (DataDir::new(ASKBACK), LossyProxy::start("/answer "));
    let mut server = serve(&data, &proxy);
    let id = server.ask(&server.asker, "shop");
    let client = Client::at(&format!("http://{}", proxy.address), server.person.clone()).unwrap().retrying(PATIENCE);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let id = RequestId::parse(&id).unwrap();
    let record = runtime.block_on(client.show(&id)).unwrap();
    let answering = runtime.spawn(async move {
        let body = AnswerBody { responses: Some(vec!["Atlas".to_owned()]), ..AnswerBody::default() };
        client.answer(record.as_ref(), body).await
    });
    proxy.wait_for_loss();
    server.kill();
    let server = serve(&data, &proxy);
    let outcome = runtime.block_on(answering).unwrap().unwrap();
    assert_eq!(outcome.responses(), ["Atlas"]);

    // The control: a repeated call without a key is a late answer.
    let late = server.answer(&server.person, id.as_str(), "Atlas");
    assert_eq!(late.status, 409, "{late:?}");
    let log = server.get(&format!("/api/v1/audit?id={id}")).token(&server.person).send().json();
    assert_eq!(log["items"].as_array().unwrap().len(), 2, "it was asked once and answered once: {}", json!(log));
}
