//! Words that approve and words that reject, in a closed table of languages (F0).

use crate::fold::{bracketed, forms, forms_without_markers, visible};
use crate::kind::approval::Decision;
use crate::text::{is_invisible, is_space};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The words of one language. Only words that mean a decision whatever is asked: "delete" or "skip" may be either.
struct Language {
    approve: &'static [&'static str],
    reject: &'static [&'static str],
}

#[rustfmt::skip]
const LANGUAGES: &[Language] = &[
    // English
    Language {
        approve: &[
            "approve", "approved", "accept", "accepted", "agree", "allow", "allowed", "authorize", "authorise", "permit", "grant",
            "yes", "yep", "yeah", "yup", "ok", "okay", "sure", "confirm", "confirmed", "continue", "proceed", "go", "go ahead",
            "a", "y", "go on", "do it", "consent", "approve it", "accept it", "allow it", "don't reject", "do not reject", "don't deny",
            "do not deny", "don't cancel", "do not cancel", "don't stop", "do not stop",
        ],
        reject: &[
            "reject", "rejected", "deny", "denied", "decline", "declined", "refuse", "refused", "disallow", "disapprove", "disagree",
            "forbid", "no", "nope", "nah", "no way", "no thanks", "cancel", "cancelled", "canceled", "abort", "aborted",
            "r", "n", "stop", "never", "veto", "reject it", "don't", "do not", "don't do it", "do not do it", "don't approve",
            "do not approve", "not approve", "don't accept", "do not accept", "don't allow", "do not allow", "don't continue",
            "do not continue", "don't proceed", "do not proceed", "don't confirm", "do not confirm",
        ],
    },
    // German
    Language {
        approve: &[
            "genehmigen", "genehmigt", "akzeptieren", "annehmen", "zustimmen", "erlauben", "zulassen", "bestätigen", "freigeben",
            "ja", "jawohl", "jep", "in ordnung", "einverstanden", "weiter", "fortfahren", "fortsetzen", "ausführen", "bewilligen",
        ],
        reject: &[
            "ablehnen", "abgelehnt", "verweigern", "verbieten", "zurückweisen", "nein", "nö", "abbrechen", "abbruch", "stornieren",
            "stopp", "stoppen", "anhalten", "nicht genehmigen", "nicht erlauben", "nicht zulassen", "nicht ausführen",
        ],
    },
    // French
    Language {
        approve: &[
            "approuver", "approuvé", "accepter", "accepté", "autoriser", "permettre", "valider", "confirmer", "oui", "d'accord",
            "continuer", "poursuivre", "procéder", "consentir", "ouais",
        ],
        reject: &[
            "rejeter", "rejeté", "refuser", "refusé", "décliner", "interdire", "non", "annuler", "annulé", "abandonner",
            "interrompre", "arrêter", "arrête", "ne pas approuver", "ne pas autoriser",
        ],
    },
    // Spanish
    Language {
        approve: &[
            "aprobar", "aprobado", "aceptar", "acepto", "autorizar", "permitir", "confirmar", "sí", "vale", "de acuerdo", "continuar",
            "seguir", "proceder", "adelante", "conceder",
        ],
        reject: &[
            "rechazar", "rechazado", "rechazo", "denegar", "denegado", "negar", "declinar", "rehusar", "prohibir", "cancelar",
            "cancelado", "abortar", "detener", "parar", "no aprobar", "no permitir", "no aceptar",
        ],
    },
    // Italian
    Language {
        approve: &[
            "approva", "approvare", "approvato", "accetta", "accettare", "accetto", "autorizza", "consenti", "permetti", "conferma",
            "confermare", "sì", "va bene", "d'accordo", "continua", "procedi", "prosegui", "avanti",
        ],
        reject: &[
            "rifiuta", "rifiutare", "rifiutato", "rifiuto", "respingi", "nega", "declina", "vieta", "annulla", "annullare",
            "interrompi", "ferma", "fermare", "non approvare", "non consentire",
        ],
    },
    // Portuguese
    Language {
        approve: &["aprovar", "aprovado", "aceitar", "aceito", "autorizar", "sim", "certo", "prosseguir", "avançar", "concordo"],
        reject: &[
            "rejeitar", "rejeitado", "recusar", "recusado", "recuso", "negar", "proibir", "não", "interromper", "não aprovar",
            "não permitir", "não aceitar",
        ],
    },
    // Dutch
    Language {
        approve: &[
            "goedkeuren", "goedgekeurd", "accepteren", "aanvaarden", "toestaan", "bevestigen", "akkoord", "oké", "doorgaan", "verder",
            "toelaten",
        ],
        reject: &[
            "afwijzen", "afgewezen", "afkeuren", "afgekeurd", "weigeren", "geweigerd", "verbieden", "nee", "annuleren", "afbreken",
            "stoppen", "niet toestaan", "niet goedkeuren",
        ],
    },
    // Polish
    Language {
        approve: &[
            "zatwierdź", "zatwierdzam", "akceptuj", "akceptuję", "zaakceptuj", "zezwól", "zezwalam", "pozwól", "potwierdź",
            "potwierdzam", "tak", "zgoda", "zgadzam się", "dobrze", "kontynuuj", "dalej",
        ],
        reject: &[
            "odrzuć", "odrzucam", "odmów", "odmawiam", "zabroń", "nie", "anuluj", "przerwij", "zatrzymaj", "nie zezwalaj",
            "nie zatwierdzaj",
        ],
    },
    // Russian
    Language {
        approve: &[
            "одобрить", "одобряю", "принять", "принимаю", "разрешить", "разрешаю", "подтвердить", "подтверждаю", "согласен",
            "согласиться", "да", "хорошо", "ладно", "ок", "окей", "продолжить", "утвердить",
        ],
        reject: &[
            "отклонить", "отклоняю", "отказать", "отказаться", "отказ", "запретить", "отвергнуть", "нет", "отмена", "отменить",
            "прервать", "остановить", "стоп", "не разрешать", "не одобрять", "не надо",
        ],
    },
    // Ukrainian
    Language {
        approve: &[
            "схвалити", "схвалюю", "прийняти", "приймаю", "дозволити", "дозволяю", "підтвердити", "підтверджую", "погодитися",
            "згоден", "так", "гаразд", "добре", "продовжити", "затвердити",
        ],
        reject: &[
            "відхилити", "відхиляю", "відмовити", "відмовитися", "відмова", "заборонити", "ні", "скасувати", "перервати",
            "зупинити", "не дозволяти", "не схвалювати",
        ],
    },
    // Turkish
    Language {
        approve: &[
            "onayla", "onaylıyorum", "onay", "kabul", "kabul et", "kabul ediyorum", "izin ver", "evet", "tamam", "devam", "devam et",
            "sürdür", "doğrula",
        ],
        reject: &[
            "reddet", "reddediyorum", "ret", "izin verme", "onaylama", "kabul etme", "hayır", "iptal", "iptal et", "vazgeç",
            "durdur",
        ],
    },
    // Japanese
    Language {
        approve: &[
            "承認", "承認する", "許可", "許可する", "同意", "同意する", "受け入れる", "はい", "了解", "確認", "続行", "続ける",
            "続行する", "進む", "実行", "実行する", "オーケー", "イエス", "オッケー", "承諾",
        ],
        reject: &[
            "却下", "却下する", "拒否", "拒否する", "許可しない", "承認しない", "同意しない", "いいえ", "やめる", "やめて", "取消",
            "取り消す", "取り消し", "キャンセル", "中止", "中止する", "中断", "停止", "だめ", "ダメ", "ノー", "断る", "不許可", "不承認",
        ],
    },
    // Chinese, simplified and traditional
    Language {
        approve: &[
            "批准", "同意", "接受", "允许", "允許", "许可", "許可", "是", "是的", "好", "好的", "可以", "行", "确认", "確認", "确定",
            "確定", "继续", "繼續", "通过", "通過", "核准", "赞成", "贊成",
        ],
        reject: &[
            "拒绝", "拒絕", "不批准", "不同意", "不接受", "不允许", "不允許", "驳回", "駁回", "否", "否决", "否決", "不", "不是", "不要",
            "不行", "不可以", "取消", "中止", "终止", "終止", "停止", "放弃", "放棄", "禁止",
        ],
    },
    // Korean
    Language {
        approve: &[
            "승인", "승인하기", "수락", "허용", "허가", "동의", "동의함", "예", "네", "응", "그래", "확인", "계속", "계속하기", "진행",
            "찬성", "좋아요",
        ],
        reject: &[
            "거부", "거절", "거부하기", "불허", "반려", "아니요", "아니오", "아뇨", "아니", "취소", "취소하기", "중단", "중지", "정지",
            "허용 안 함", "동의하지 않음", "반대",
        ],
    },
    // Arabic
    Language {
        approve: &[
            "موافقة", "موافق", "أوافق", "قبول", "أقبل", "السماح", "سماح", "اسمح", "نعم", "أجل", "حسنا", "تأكيد", "متابعة", "استمرار",
            "اعتماد",
        ],
        reject: &[
            "رفض", "أرفض", "ارفض", "مرفوض", "منع", "لا", "كلا", "إلغاء", "الغاء", "إيقاف", "توقف", "إنهاء", "لا أوافق", "غير موافق",
            "عدم السماح",
        ],
    },
    // Hindi
    Language {
        approve: &[
            "स्वीकार", "स्वीकार करें", "स्वीकृत", "मंज़ूर", "मंजूर", "मंज़ूरी दें", "अनुमति दें", "अनुमोदन", "अनुमोदित करें", "हाँ", "हां",
            "ठीक है", "पुष्टि करें", "जारी रखें", "सहमत",
        ],
        reject: &[
            "अस्वीकार", "अस्वीकार करें", "अस्वीकृत", "नामंज़ूर", "नामंजूर", "मना करें", "नहीं", "ना", "रद्द", "रद्द करें", "रोकें", "रुकें",
            "बंद करें", "असहमत", "अनुमति न दें",
        ],
    },
];

/// Signs that mean a decision where a label has nothing else.
const APPROVE_SIGNS: &str = "👍✅✔✓☑🆗👌⭕";
const REJECT_SIGNS: &str = "👎❌✖✗✘✕❎🚫⛔🛑🙅";

/// Every form of every word, with its meaning.
static MEANINGS: LazyLock<HashMap<String, Decision>> = LazyLock::new(|| {
    let words = words().flat_map(|(word, meaning)| {
        // Whichever case a label is written in, its form is here.
        let cased = [word.to_owned(), word.to_uppercase()];
        cased.into_iter().flat_map(|word| forms(&word)).map(move |form| (form, meaning))
    });
    words.collect()
});

/// Every word of the table, in its own spelling.
pub(crate) fn words() -> impl Iterator<Item = (&'static str, Decision)> {
    LANGUAGES.iter().flat_map(|language| {
        let with = |words: &'static [&'static str], meaning| words.iter().map(move |word| (*word, meaning));
        with(language.approve, Decision::Approve).chain(with(language.reject, Decision::Reject))
    })
}

/// The meaning of a whole label, if it is a word of the table: decorated, disguised, or after a key marker.
pub(crate) fn meaning(label: &str) -> Option<Decision> {
    let known = forms_without_markers(label).iter().find_map(|form| MEANINGS.get(form).copied());
    known.or_else(|| meaning_of_signs(label))
}

/// Whether a label claims a decision in brackets, as we do beside it: `Delete them (approve)`. A letter is a key.
pub(crate) fn claims(label: &str, decision: Decision) -> bool {
    let is_word = |text: &&String| !forms(text).iter().any(|form| is_letter(form));
    bracketed(label).iter().filter(is_word).any(|text| meaning(text) == Some(decision))
}

/// Whether a label has one of our own two words in brackets, right or wrong: only askback writes that.
pub(crate) fn has_bracketed_word(label: &str) -> bool {
    bracketed(label).iter().any(|text| forms_without_markers(text).iter().any(|form| canonical(form).is_some()))
}

/// Whether a label has a word of this meaning set off by a sign, as in our own `✗ reject`: `approve` or `reject`
/// anywhere, any other word at the end. A plain space sets nothing off, nor does the comma of `No, continue`, whose
/// first word says what the label means.
pub(crate) fn sets_off(label: &str, decision: Decision) -> bool {
    let text = visible(label);
    let parts = parts(&text);
    let is_canonical = |part: &&Part<'_>| forms(part.text).iter().any(|form| canonical(form) == Some(decision));
    if parts.len() > 1 && parts.iter().any(|part| is_canonical(&part)) || ends_after_a_letter(&text, decision) {
        return true;
    }
    let [first, .., last] = parts.as_slice() else { return false };
    let means = |part: &Part<'_>, decision: Decision| {
        forms(part.text).iter().any(|form| !is_letter(form) && MEANINGS.get(form) == Some(&decision))
    };
    let is_prose = last.is_prose && means(first, decision.opposite());
    means(last, decision) && !is_prose
}

/// A stretch of a label between signs.
struct Part<'a> {
    text: &'a str,
    /// Whether all that stands before it is the punctuation of a sentence, or the hyphen of a compound.
    is_prose: bool,
}

/// The stretches of a label between signs, each with letters or digits in it.
fn parts(text: &str) -> Vec<Part<'_>> {
    let is_joined = |at: usize, sign: char| {
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        is_word(text[..at].chars().next_back()) && is_word(text[at + sign.len_utf8()..].chars().next())
    };
    let is_apostrophe = |at, c| matches!(c, '\'' | '’') && is_joined(at, c);
    let is_sign = |c: char| !c.is_alphanumeric() && !is_space(c) && !is_mark(c);
    let mut parts: Vec<Part<'_>> = Vec::new();
    let (mut start, mut is_prose) = (0, true);
    let signs = text.char_indices().filter(|(at, c)| is_sign(*c) && !is_apostrophe(*at, *c));
    for (at, end, sign) in signs.map(|(at, c)| (at, at + c.len_utf8(), Some(c))).chain([(text.len(), text.len(), None)])
    {
        let between = &text[start..at];
        if between.contains(char::is_alphanumeric) {
            parts.push(Part { text: between, is_prose });
            is_prose = true;
        }
        if let Some(sign) = sign {
            is_prose &= ",.;!、。".contains(sign) || sign == '-' && is_joined(at, sign);
        }
        start = end;
    }
    parts
}

/// Whether a label ends in one of our own two words after a single letter that may pass for a sign: `Keep them x reject`.
fn ends_after_a_letter(text: &str, decision: Decision) -> bool {
    let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
    let [.., before, last] = words.as_slice() else { return false };
    before.chars().filter(|c| !is_mark(*c)).count() == 1
        && forms(last).iter().any(|form| canonical(form) == Some(decision))
}

/// The decision whose own word has this form.
fn canonical(form: &str) -> Option<Decision> {
    Decision::BOTH.into_iter().find(|decision| forms(decision.word()).iter().any(|own| own == form))
}

/// Whether a form is one letter: `Q&A` ends in no word.
fn is_letter(form: &str) -> bool {
    form.len() == 1
}

/// Whether a character belongs to the one before it.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn meaning_of_signs(label: &str) -> Option<Decision> {
    // Skin tones only modify a sign.
    let visible = |c: &char| !is_invisible(*c) && !c.is_whitespace() && !('\u{1f3fb}'..='\u{1f3ff}').contains(c);
    let signs: Vec<char> = label.chars().filter(visible).collect();
    let all_of = |known: &str| !signs.is_empty() && signs.iter().all(|sign| known.contains(*sign));
    match (all_of(APPROVE_SIGNS), all_of(REJECT_SIGNS)) {
        (true, _) => Some(Decision::Approve),
        (_, true) => Some(Decision::Reject),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
