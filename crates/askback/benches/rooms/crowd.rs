//! The clients of all rooms: each must be told of every request of its room, once, and it is noted when the last one was.

use crate::Done;
use crate::contender::{Contender, Size};
use crate::socket::{Shared, Socket, shared};
use crate::usage::{self, Spent};
use crate::writer::{Turn, Writing};
use crate::yjs::{self, Told, told};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

const PATIENCE: Duration = Duration::from_secs(120);
/// How long a server may take for what comes after the last client was told; it is counted, too.
const REST: Duration = Duration::from_millis(50);

/// Fills rooms until each shows so many requests, while nobody else is there.
pub(crate) async fn fill(contender: &dyn Contender, size: Size, shown: usize) -> Done<()> {
    let turn = Turn { first: 0, count: shown * size.rooms, every: Duration::ZERO };
    let mut writing = Writing::prepare(contender.writer(), turn).await?;
    writing.go();
    writing.written().await;
    let (start, buffer) = (Instant::now(), shared());
    for room in 0..size.rooms {
        loop {
            let mut socket = Socket::open(&contender.door(room, 0), Shared::clone(&buffer)).await?;
            socket.send(&yjs::STEP_1).await?;
            if marks(&document(&mut socket).await?) == shown {
                break;
            }
            if start.elapsed() > PATIENCE {
                return writing.finish().and(Err("a room does not show what was written".into()));
            }
            sleep(REST).await;
        }
    }
    writing.finish().map(|_| ())
}

/// All clients of a server.
pub(crate) struct Crowd {
    size: Size,
    tally: Rc<Tally>,
    following: JoinSet<Done<()>>,
    /// The bytes of a room's document when its first client came.
    pub(crate) document: usize,
}

/// What a turn came to.
pub(crate) struct Turned {
    /// For each request, from sending it until the last client of its room was told.
    pub(crate) latency: Vec<Duration>,
    /// From sending the first until everybody was told everything.
    pub(crate) time: Duration,
    /// The processor time of the server.
    pub(crate) spent: Spent,
    /// How often one client was told of one request.
    pub(crate) deliveries: usize,
    /// The messages in which the clients of this crowd were told, and their bytes.
    pub(crate) messages: usize,
    pub(crate) bytes: usize,
}

impl Crowd {
    /// Lets everybody in, one after the other, into rooms that show so many requests already.
    pub(crate) async fn gather(contender: &dyn Contender, size: Size, shown: usize) -> Done<Self> {
        let (tally, buffer) = (Rc::new(Tally::new()), shared());
        let mut crowd = Self { size, tally, following: JoinSet::new(), document: 0 };
        for number in 0..size.all_clients() {
            let room = number / size.clients;
            let mut socket = Socket::open(&contender.door(room, number % size.clients), Shared::clone(&buffer)).await?;
            socket.send(&yjs::STEP_1).await?;
            let document = document(&mut socket).await?;
            let found = marks(&document);
            if found != shown {
                return Err(format!("a room shows {found} requests, not {shown}").into());
            }
            crowd.document = document.iter().map(Vec::len).sum();
            let seen = Seen { rooms: size.rooms, room, first: shown * size.rooms, seen: Vec::new() };
            crowd.following.spawn_local(follow(socket, seen, Rc::clone(&crowd.tally)));
        }
        Ok(crowd)
    }

    /// Has requests written, and comes back when everybody was told of them.
    pub(crate) async fn turn(&mut self, contender: &dyn Contender, turn: Turn) -> Done<Turned> {
        self.tally.begin(turn, self.size.clients);
        let mut writing = Writing::prepare(contender.writer(), turn).await?;
        let before = usage::spent(contender.pid())?;
        writing.go();
        let everybody = timeout(PATIENCE, async {
            tokio::select! {
                () = self.tally.complete.notified() => Ok(()),
                Some(ended) = self.following.join_next() => ended?.and(Err("a client has ended".into())),
            }
        });
        match everybody.await {
            Ok(told) => told?,
            // Perhaps the writer knows why.
            Err(_) => return writing.finish().and(Err("somebody was not told of everything".into())),
        }
        sleep(REST).await;
        let after = usage::spent(contender.pid())?;
        let spent = Spent { program: after.program - before.program, kernel: after.kernel - before.kernel };
        let sent = writing.finish()?;
        let arrivals = self.tally.arrivals.borrow();
        let latency = sent.iter().zip(arrivals.iter()).map(|(sent, arrival)| arrival.last - *sent).collect();
        let ends = arrivals.iter().map(|arrival| arrival.last).max().zip(sent.iter().min().copied());
        let time = ends.map_or(Duration::ZERO, |(last, first)| last - first);
        let deliveries = turn.count * (self.size.clients + contender.others_told());
        let (messages, bytes) = (self.tally.messages.get(), self.tally.bytes.get());
        Ok(Turned { latency, time, spent, deliveries, messages, bytes })
    }
}

/// The document that a server gives to who has just come, in the parts in which it comes.
pub(crate) async fn document(socket: &mut Socket) -> Done<Vec<Vec<u8>>> {
    let mut parts = Vec::new();
    loop {
        let message = socket.next().await?;
        match told(&message)? {
            Told::Update(part) => parts.push(part.to_vec()),
            Told::Document(part) => {
                parts.push(part.to_vec());
                return Ok(parts);
            }
            Told::Verdict(_) | Told::Other => {}
        }
    }
}

fn marks(document: &[Vec<u8>]) -> usize {
    document.iter().map(|part| yjs::marked(part).count()).sum()
}

/// What the clients were told in the turn that is under way.
struct Tally {
    turn: Cell<Turn>,
    clients: Cell<usize>,
    arrivals: RefCell<Vec<Arrival>>,
    /// Requests that not everybody was told of.
    left: Cell<usize>,
    complete: Notify,
    messages: Cell<usize>,
    bytes: Cell<usize>,
}

#[derive(Clone, Copy)]
struct Arrival {
    count: usize,
    last: Instant,
}

impl Tally {
    fn new() -> Self {
        let turn = Turn { first: 0, count: 0, every: Duration::ZERO };
        let (clients, left, messages, bytes) = (Cell::default(), Cell::default(), Cell::default(), Cell::default());
        let (arrivals, complete) = (RefCell::default(), Notify::new());
        Self { turn: Cell::new(turn), clients, arrivals, left, complete, messages, bytes }
    }

    fn begin(&self, turn: Turn, clients: usize) {
        self.turn.set(turn);
        self.clients.set(clients);
        self.arrivals.replace(vec![Arrival { count: 0, last: Instant::now() }; turn.count]);
        self.left.set(turn.count);
        self.messages.set(0);
        self.bytes.set(0);
    }

    fn arrived(&self, number: usize, now: Instant) -> Done<()> {
        let mut arrivals = self.arrivals.borrow_mut();
        let place = number.checked_sub(self.turn.get().first).filter(|place| *place < arrivals.len());
        let arrival =
            &mut arrivals[place.ok_or_else(|| format!("nobody has written request {number} in this turn"))?];
        arrival.count += 1;
        arrival.last = now;
        if arrival.count == self.clients.get() {
            self.left.set(self.left.get() - 1);
            if self.left.get() == 0 {
                self.complete.notify_one();
            }
        }
        Ok(())
    }
}

/// What one client was told.
struct Seen {
    rooms: usize,
    room: usize,
    first: usize,
    seen: Vec<bool>,
}

impl Seen {
    fn see(&mut self, number: usize) -> Done<()> {
        if number % self.rooms != self.room || number < self.first {
            return Err(format!("a client in room {} was told of request {number}", self.room).into());
        }
        let place = (number - self.first) / self.rooms;
        if self.seen.len() <= place {
            self.seen.resize(place + 1, false);
        }
        if std::mem::replace(&mut self.seen[place], true) {
            return Err(format!("a client was told twice of request {number}").into());
        }
        Ok(())
    }
}

async fn follow(mut socket: Socket, mut seen: Seen, tally: Rc<Tally>) -> Done<()> {
    loop {
        socket
            .more(|message| {
                // Whoever was told too little for long is told as if it had just come.
                if !matches!(told(message)?, Told::Update(_) | Told::Document(_)) {
                    return Ok(());
                }
                let now = Instant::now();
                tally.messages.set(tally.messages.get() + 1);
                tally.bytes.set(tally.bytes.get() + message.len());
                yjs::marked(message).try_for_each(|number| {
                    seen.see(number)?;
                    tally.arrived(number, now)
                })
            })
            .await?;
    }
}
