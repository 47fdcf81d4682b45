//! What every journal does, wherever it keeps entries: for the tests of each.
//!
//! Absent on purpose: what entries mean, and what is particular to one journal.

use std::pin::Pin;
use std::sync::Arc;

use crate::journal::Journal;
use feed::input_log::if_ready;

/// What a test does while it is waited for.
pub type Doing<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A journal that a test opens, ends and opens again.
pub trait TestedJournal {
    /// Opens it. The process that had it open before is gone, and so is what it had not kept.
    fn open(&mut self) -> Doing<'_, Arc<dyn Journal>>;

    /// The entries that it keeps, in order, as a reader finds them.
    fn entries(&mut self) -> Doing<'_, Vec<Vec<u8>>>;

    /// Lets it keep nothing more; `false` where a test cannot have that.
    fn fail(&mut self) -> Doing<'_, bool>;
}

/// Processes that have it open, one after the other.
const LIVES: usize = 3;
/// Entries that are appended before one of them is waited for.
const TOGETHER: usize = 40;
/// Bytes of some entries: more than one batch takes have a place among those.
const LARGE: usize = 300 << 10;

/// What a test knows of the entries.
#[derive(Default)]
struct Expected {
    /// Entries that were answered, or come before one that was.
    answered: Vec<Vec<u8>>,
    /// Entries after those: some of the first of them may be kept.
    unanswered: Vec<Vec<u8>>,
}

impl Expected {
    fn all(&mut self) -> &Vec<Vec<u8>> {
        self.answered.append(&mut self.unanswered);
        &self.answered
    }

    /// Takes what another process finds for true.
    fn found(&mut self, entries: Vec<Vec<u8>>) {
        let whole: Vec<_> = self.answered.iter().chain(&self.unanswered).cloned().collect();
        assert!(
            entries.len() >= self.answered.len(),
            "{} entries were answered, and {} are there",
            self.answered.len(),
            entries.len()
        );
        assert!(whole.starts_with(&entries), "what is there is a part of what was appended, from the first entry on");
        *self = Self { answered: entries, unanswered: Vec::new() };
    }
}

/// Holds a journal without entries to what all of them do.
///
/// # Panics
/// When it does something else.
pub async fn holds(journal: &mut dyn TestedJournal) {
    let mut expected = Expected::default();
    for life in 0..LIVES {
        let open = journal.open().await;
        assert_eq!(open.failure(), None, "life {life}");
        expected.found(journal.entries().await);
        lives(journal, &*open, &mut expected, life).await;
        for count in 0..TOGETHER {
            let entry = format!("unanswered {life} {count}").into_bytes();
            expected.unanswered.push(entry.clone());
            // Nobody waits for it, and then the process is gone.
            drop(open.append(entry));
        }
    }
    let open = journal.open().await;
    expected.found(journal.entries().await);
    if journal.fail().await {
        for _ in 0..2 {
            let refused = open.append(b"late".to_vec()).await;
            assert!(refused.is_err(), "a journal that keeps nothing says so");
            assert!(open.failure().is_some(), "and why");
            // The first of them may have reached the disk all the same.
            expected.unanswered = vec![b"late".to_vec()];
        }
    }
    drop(open);
    let open = journal.open().await;
    expected.found(journal.entries().await);
    expected.answered.push(b"last".to_vec());
    assert_eq!(open.append(b"last".to_vec()).await, Ok(()), "the next process keeps entries again");
    assert_eq!(journal.entries().await, expected.answered);
}

/// One process that appends, and finds what it was answered.
async fn lives(journal: &mut dyn TestedJournal, open: &dyn Journal, expected: &mut Expected, life: usize) {
    let entry = format!("alone {life}").into_bytes();
    expected.unanswered.push(entry.clone());
    assert_eq!(open.append(entry).await, Ok(()));
    assert_eq!(&journal.entries().await, expected.all(), "what is answered is kept");

    let mut answers = Vec::new();
    for count in 0..TOGETHER {
        let entry = match count {
            7 => (0..=u8::MAX).collect(),
            _ if count % 5 == 1 => vec![b'x'; LARGE],
            _ => format!("together {life} {count}").into_bytes(),
        };
        expected.unanswered.push(entry.clone());
        let answer = open.append(entry);
        // Nobody waits for some of them, and they have their places all the same.
        if count % 3 > 0 || count + 1 == TOGETHER {
            answers.push(answer);
        }
    }
    let last = answers.pop().expect("an answer");
    assert_eq!(last.await, Ok(()));
    for (place, answer) in answers.iter_mut().enumerate() {
        assert_eq!(if_ready(answer.as_mut()), Some(Ok(())), "answer {place}: an entry is kept after all before it");
    }
    assert_eq!(&journal.entries().await, expected.all(), "entries have the order of the calls");
}
