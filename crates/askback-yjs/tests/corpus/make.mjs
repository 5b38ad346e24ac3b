// Makes corpus.json: what real Yjs clients send, and what a correct reader finds in it.
//
//   npm install yjs@13.6.33 y-protocols@1.0.7 lib0@0.2.120   (in any folder, with this file copied there)
//   node make.mjs > corpus.json
//
// Every id is fixed, so that the same versions make the same bytes. What is expected is computed from the structs as
// Yjs itself decodes them, and compared with the document that Yjs makes of them.

import * as Y from 'yjs'
import * as encoding from 'lib0/encoding'
import * as awarenessProtocol from 'y-protocols/awareness'

const ROOM = 2 ** 32 + 12345
const base64 = bytes => Buffer.from(bytes).toString('base64')
const written = write => {
  const encoder = encoding.createEncoder()
  write(encoder)
  return encoding.toUint8Array(encoder)
}

const fail = message => { throw new Error(message) }

// A small generator of its own, so that nothing is left to chance.
let seed = 20240917
const random = below => {
  seed ^= seed << 13
  seed ^= seed >>> 17
  seed ^= seed << 5
  return (seed >>> 0) % below
}

let nextClient = 1000
const newDoc = (options = {}) => {
  const { client, ...rest } = options
  const doc = new Y.Doc({ guid: 'fixed', ...rest })
  doc.clientID = client ?? nextClient++
  return doc
}
const whole = doc => Y.encodeStateAsUpdate(doc)
const answer = (id, response = 'yes') => ({ requestId: id, response })

// ---- what a correct reader finds

const isJson = value => {
  switch (typeof value) {
    case 'bigint': return false
    case 'number': return Number.isFinite(value)
    case 'object':
      if (value === null) return true
      if (value instanceof Uint8Array) return false
      return Object.values(value).every(isJson)
    default: return true
  }
}
const asJson = value => {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.map(asJson)
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asJson(inner)]))
  return value
}
const depth = value => (value !== null && typeof value === 'object') ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
const values = value => (value !== null && typeof value === 'object') ? Object.values(value).reduce((sum, inner) => sum + values(inner), 1) : 1
const isPlainObject = value => value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array)

// What one connection has said: all that is under keys of the map, value by value, and the document that Yjs makes of it.
const newConnection = () => ({ values: new Map(), doc: new Y.Doc() })
const name = id => `${id.client} ${id.clock}`

// The values of an update that are under keys of the map or may be. A struct of several is as many, each after the one before.
const valuesOf = structs => structs.filter(struct => struct instanceof Y.Item && struct.rightOrigin === null).flatMap(struct => {
  const isSet = struct.parent === 'answers' && struct.parentSub !== null && struct.origin === null
  if (!isSet && struct.origin === null) return []
  if (struct.length > 10_000) fail('nobody sets a key so often')
  return Array.from({ length: Math.max(struct.length, 1) }, (_, n) => {
    const id = { client: struct.id.client, clock: struct.id.clock + n }
    const origin = n > 0 ? { client: id.client, clock: id.clock - 1 } : struct.origin
    return { id, origin, key: isSet && n === 0 ? struct.parentSub : null, struct, isEmpty: struct.length === 0 }
  })
})

// [key, object] for a proposal; [key] where something else stands.
//
// What was put after the same value stands in the order of clients, each with all that was put after it: the last stands.
const expected = (update, connection = newConnection()) => {
  const { structs, ds } = Y.decodeUpdate(update)
  const isDeleted = id => (ds.clients.get(id.client) ?? []).some(range => range.clock <= id.clock && id.clock < range.clock + range.len)
  const found = valuesOf(structs)
  const own = new Map()
  for (const value of found.filter(({ isEmpty }) => !isEmpty)) {
    own.has(name(value.id)) && fail('two with one id')
    own.set(name(value.id), value)
  }
  const all = new Map([...connection.values, ...own])
  const after = new Map()
  for (const value of all.values()) if (value.origin) after.set(name(value.origin), [...(after.get(name(value.origin)) ?? []), value])
  const isBefore = (one, other) => one.id.client - other.id.client || one.id.clock - other.id.clock
  const standing = new Map()
  for (const first of [...all.values(), ...found.filter(({ isEmpty }) => isEmpty)].filter(({ key }) => key !== null)) {
    let last = first
    for (let more = [first]; more.length; more = first.isEmpty ? [] : after.get(name(last.id)) ?? []) {
      last = more.sort(isBefore).at(-1)
    }
    standing.set(last.struct, first.key)
    // All that is in the map is known from now on.
    for (let more = first.isEmpty ? [] : [first]; more.length; more = more.flatMap(({ id }) => after.get(name(id)) ?? [])) {
      for (const value of more) connection.values.set(name(value.id), value)
    }
  }
  return structs
    .filter(struct => standing.has(struct) && !(struct.content instanceof Y.ContentDeleted) && !isDeleted(struct.id))
    .map(struct => {
      const fits = struct.content instanceof Y.ContentAny && struct.content.arr.length === 1 &&
        isPlainObject(struct.content.arr[0]) && isJson(struct.content.arr[0]) &&
        depth(struct.content.arr[0]) <= 8 && values(struct.content.arr[0]) <= 10_000
      return fits ? [standing.get(struct), asJson(struct.content.arr[0])] : [standing.get(struct)]
    })
}

// ---- updates

const updates = []
let checked = 0
const add = (name, update, connection = newConnection()) => {
  const follows = updates.length > 0 && connection === updates.at(-1).connection
  const proposals = expected(update, connection)
  check(name, update, proposals, connection.doc)
  updates.push({ name, bytes: base64(update), ...(follows && { follows }), proposals, connection })
  return update
}
// Whatever is read out of an update is what it brings to the document that Yjs makes of all that this connection has said.
const check = (name, update, proposals, doc) => {
  Y.applyUpdate(doc, update)
  if (doc.store.pendingStructs !== null || doc.store.pendingDs !== null) return
  checked += 1
  const { structs } = Y.decodeUpdate(update)
  const isNew = ({ id }) => structs.some(struct => struct.id.client === id.client && struct.id.clock <= id.clock && id.clock < struct.id.clock + struct.length)
  const live = new Map([...doc.getMap('answers')._map].filter(([_, item]) => !item.deleted && isNew(item)))
  for (const [key, item] of live) {
    const found = proposals.filter(proposal => proposal[0] === key)
    const isFound = ([_, object]) => object === undefined || JSON.stringify(object) === JSON.stringify(asJson(item.content.getContent()[0]))
    found.some(isFound) || fail(`${name}: ${key} is live and was not found`)
  }
  // Of several people who have set the same fresh key, without having met yet, each is heard.
  const sets = key => structs.filter(struct => struct.parent === 'answers' && struct.parentSub === key).length
  for (const [key] of proposals) live.has(key) || sets(key) > 1 || fail(`${name}: ${key} was found and is not live`)
  for (const key of live.keys()) proposals.filter(proposal => proposal[0] === key).length <= Math.max(1, sets(key)) || fail(`${name}: ${key} was found twice`)
}
// Every update that a document emits while something is done to it, and the whole at the end.
const record = (name, doc, ...actions) => {
  const emitted = []
  doc.on('update', update => emitted.push(update))
  actions.forEach(action => doc.transact(() => action(doc)))
  const connection = newConnection()
  emitted.forEach((update, at) => add(`${name}, update ${at + 1}`, update, connection))
  add(`${name}, whole`, whole(doc))
  return emitted
}

add('nothing', whole(newDoc()))
record('one answer', newDoc(), doc => doc.getMap('answers').set('k1', answer('r1')))
record('three answers, one by one', newDoc(),
  ...[1, 2, 3].map(n => doc => doc.getMap('answers').set(`k${n}`, answer(`r${n}`))))
record('three answers at once', newDoc(), doc => [1, 2, 3].forEach(n => doc.getMap('answers').set(`k${n}`, answer(`r${n}`))))
record('overwritten', newDoc(), doc => doc.getMap('answers').set('k', answer('r1')), doc => doc.getMap('answers').set('k', answer('r2')))
record('overwritten at once', newDoc(), doc => { doc.getMap('answers').set('k', answer('r1')); doc.getMap('answers').set('k', answer('r2')) })
record('overwritten thrice without gc', newDoc({ gc: false }), ...[1, 2, 3].map(n => doc => doc.getMap('answers').set('k', answer(`r${n}`))))
record('deleted', newDoc(), doc => doc.getMap('answers').set('k', answer('r1')), doc => doc.getMap('answers').delete('k'))
record('deleted without gc', newDoc({ gc: false }), doc => doc.getMap('answers').set('k', answer('r1')), doc => doc.getMap('answers').delete('k'))
record('deleted at once', newDoc({ gc: false }), doc => { doc.getMap('answers').set('k', answer('r1')); doc.getMap('answers').delete('k') })
record('one of three deleted without gc', newDoc({ gc: false }),
  doc => [1, 2, 3].forEach(n => doc.getMap('answers').set(`k${n}`, answer(`r${n}`))), doc => doc.getMap('answers').delete('k2'))
record('set again after it was deleted', newDoc(),
  doc => doc.getMap('answers').set('k', answer('r1')), doc => doc.getMap('answers').delete('k'), doc => doc.getMap('answers').set('k', answer('r2')))
record('a full answer', newDoc(), doc => doc.getMap('answers').set('0191d5a0-0000-7000-8000-000000000001', {
  requestId: 'r1', action: 'answer', answers: [{ response: 'a' }, { selections: ['x', 'y'], custom: 'z' }], reason: undefined, answeredAt: '2024-09-17T00:00:00Z'
}))
record('all that JSON has', newDoc(), doc => doc.getMap('answers').set('k', {
  n: null, u: undefined, t: true, f: false, i: [0, 1, -1, 63, 64, -64, 2 ** 31 - 1, -(2 ** 31 - 1), 2 ** 31, 2 ** 53, 1.5, 0.1, 1e300], s: '', e: {}, a: []
}))
record('keys in other scripts', newDoc(), doc => ['', 'ключ', '鍵', '🔑🔑', 'a\nb', '\u0000', 'x'.repeat(300), '\ufeffbom', 'half \ud800'].forEach((key, n) =>
  doc.getMap('answers').set(key, answer(`r${n}`, key))))
record('texts, numbers and lists', newDoc(), doc => ['text', 7, 1.5, true, null, undefined, [], [{}], 5n, new Date(0)].forEach((value, n) =>
  doc.getMap('answers').set(`k${n}`, value)))
record('bytes', newDoc(), doc => doc.getMap('answers').set('k', new Uint8Array([1, 2, 3])))
record('a nested map', newDoc(), doc => { const inner = new Y.Map(); doc.getMap('answers').set('k', inner); inner.set('requestId', 'r1'); inner.set('response', 'yes') })
record('nested types', newDoc(), doc => [new Y.Array(), new Y.Text('abc'), new Y.XmlElement('p'), new Y.XmlFragment(), new Y.XmlText('x'), new Y.XmlHook('hook')].forEach((type, n) =>
  doc.getMap('answers').set(`k${n}`, type)))
record('a document', newDoc(), doc => doc.getMap('answers').set('k', new Y.Doc({ guid: 'inner', meta: { a: [1, { b: 2 }] }, autoLoad: true })))
record('what JSON has not', newDoc(), doc => {
  doc.getMap('answers').set('big', { n: 5n })
  doc.getMap('answers').set('bytes', { list: [new Uint8Array([1])] })
  doc.getMap('answers').set('nan', { n: NaN })
  doc.getMap('answers').set('infinite', { n: [-Infinity] })
  doc.getMap('answers').set('fine', answer('r1'))
})
const nested = levels => Array.from({ length: levels - 1 }).reduce((inner, _, n) => n % 2 ? [inner] : { inner }, {})
record('eight levels', newDoc(), doc => { const value = nested(8); doc.getMap('answers').set('k', isPlainObject(value) ? value : fail('levels')) })
record('nine levels', newDoc(), doc => doc.getMap('answers').set('k', { inner: nested(8) }))
record('thirty levels elsewhere', newDoc(), doc => doc.getMap('other').set('k', nested(30)))
{
  const doc = newDoc()
  doc.getMap('answers').set('k', { a: Array(9_999).fill(null) })
  add('one value too many', whole(doc))
}
record('a list of that name', newDoc(), doc => doc.getArray('answers').push([answer('r1'), answer('r2')]))
record('a text of that name', newDoc(), doc => doc.getText('answers').insert(0, 'requestId'))
record('an element of that name', newDoc(), doc => doc.get('answers', Y.XmlElement).setAttribute('k', 'v'))
record('other roots', newDoc(), doc => ['answer', 'answers2', 'Answers', '', 'inputRequests'].forEach(root => doc.getMap(root).set('k', answer('r1'))))
record('a map called answers elsewhere', newDoc(), doc => { const inner = new Y.Map(); doc.getMap('other').set('answers', inner); inner.set('k', answer('r1')) })
record('amid text', newDoc(), doc => doc.getText('t').insert(0, 'a😀é'), doc => doc.getMap('answers').set('k', answer('r1')), doc => doc.getText('t').insert(2, '𝒳'),
  doc => doc.getMap('answers').set('k2', answer('r2')), doc => doc.getText('t').delete(1, 2), doc => doc.getMap('answers').set('k3', answer('r3')))
record('rich text', newDoc(), doc => {
  const text = doc.getText('t')
  text.insert(0, 'bold words', { bold: true })
  text.insertEmbed(3, { image: 'x.png' })
  text.format(2, 4, { bold: null, link: { href: 'y' } })
  text.applyDelta([{ retain: 2 }, { delete: 1 }, { insert: 'z', attributes: { i: 1 } }])
  doc.getMap('answers').set('k', answer('r1'))
})
record('xml', newDoc(), doc => {
  const root = doc.getXmlFragment('x')
  const element = new Y.XmlElement('section')
  root.insert(0, [element, new Y.XmlText('hello'), new Y.XmlHook('h')])
  element.setAttribute('class', 'wide')
  element.insert(0, [new Y.XmlText('inner'), new Y.XmlElement('br')])
  doc.getMap('answers').set('k', answer('r1'))
})
record('lists of all kinds', newDoc(), doc => {
  doc.getArray('a').insert(0, [1, 'two', { three: 3 }, [4], null, true, new Uint8Array([6]), new Y.Map(), new Y.Doc({ guid: 'in a list' }), 7.25])
  doc.getArray('a').delete(1, 3)
  doc.getArray('a').insert(1, ['x', 'y'])
  doc.getMap('answers').set('k', answer('r1'))
})
record('a nested tree that is thrown away', newDoc(), doc => {
  const inner = new Y.Map()
  doc.getMap('other').set('m', inner)
  inner.set('list', new Y.Array())
  inner.get('list').push([new Y.Map(), new Y.Text('abc'), 1, 2, 3])
}, doc => doc.getMap('other').delete('m'), doc => doc.getMap('answers').set('k', answer('r1')))
{
  const doc = newDoc()
  const undo = new Y.UndoManager(doc.getMap('answers'), { captureTimeout: 0 })
  record('undone', doc, doc => doc.getMap('answers').set('k', answer('r1')), doc => doc.getMap('answers').set('k2', answer('r2')))
  undo.undo()
  add('undone, whole', whole(doc))
  undo.redo()
  add('undone and redone, whole', whole(doc))
}
// JSON content is what Yjs wrote long ago; its classes still can.
{
  const doc = newDoc()
  doc.transact(transaction => {
    const map = doc.getMap('answers')
    new Y.Item(Y.createID(doc.clientID, 0), null, null, null, null, map, 'k', new Y.ContentJSON([answer('r1')])).integrate(transaction, 0)
    const list = doc.getArray('old')
    new Y.Item(Y.createID(doc.clientID, 1), null, null, null, null, list, null, new Y.ContentJSON([1, undefined, 'x'])).integrate(transaction, 0)
    new Y.Item(Y.createID(doc.clientID, 4), null, null, null, null, map, 'k2', new Y.ContentAny([answer('r2'), answer('r3')])).integrate(transaction, 0)
    new Y.Item(Y.createID(doc.clientID, 6), null, null, null, null, map, 'k3', new Y.ContentString('abc')).integrate(transaction, 0)
    new Y.Item(Y.createID(doc.clientID, 9), null, null, null, null, map, 'k4', new Y.ContentEmbed({ requestId: 'r4' })).integrate(transaction, 0)
    new Y.Item(Y.createID(doc.clientID, 10), null, null, null, null, map, 'k5', new Y.ContentAny([answer('r5')])).integrate(transaction, 0)
  })
  add('contents that maps do not get', whole(doc))
}

// ---- keys that are set again

const set = (key, value) => doc => doc.getMap('answers').set(key, value)
const unset = key => doc => doc.getMap('answers').delete(key)
record('refused, and then right', newDoc(), set('k', answer('r1', 'no such option')), set('k', answer('r1', 'SQLite')), set('k2', answer('r2')))
record('all kinds, one after the other', newDoc(), set('k', 'text'), set('k', new Uint8Array([1])),
  doc => { const inner = new Y.Map(); doc.getMap('answers').set('k', inner); inner.set('k', answer('inner')); inner.set('k', answer('inner again')) },
  set('k', new Y.Doc({ guid: 'inner' })), set('k', null), set('k', answer('r1')))
record('set and deleted, over and over', newDoc(), set('k', answer('r1')), unset('k'), set('k', answer('r2')), unset('k'), set('k', answer('r3')))
record('set and deleted, over and over, without gc', newDoc({ gc: false }), set('k', answer('r1')), unset('k'), set('k', answer('r2')), set('k', answer('r3')), unset('k'),
  set('k', answer('r4')))
record('two keys by turns', newDoc(), ...Array.from({ length: 8 }, (_, n) => set(`k${n % 2}`, answer(`r${n}`))), unset('k0'))
{
  const doc = newDoc()
  for (let n = 1; n <= 50; n++) set('k', answer(`r${n}`))(doc)
  add('set fifty times', whole(doc))
  const apart = newDoc()
  for (let n = 1; n <= 50; n++) { set('k', answer(`r${n}`))(apart); apart.getText('t').insert(0, 'x') }
  add('set fifty times amid text', whole(apart))
  const kept = newDoc({ gc: false })
  for (let n = 1; n <= 50; n++) set('k', { n })(kept)
  add('set fifty times without gc', whole(kept))
}
{
  // Offline first, and then online.
  const doc = newDoc()
  const connection = newConnection()
  ;[set('k', answer('A')), set('k', answer('B')), set('gone', answer('C')), unset('gone')].forEach(act => act(doc))
  add('offline, whole', whole(doc), connection)
  doc.on('update', update => add('offline, and then online', update, connection))
  ;[set('k', answer('D')), set('gone', answer('E')), set('k', answer('F')), unset('k'), set('k', answer('G'))].forEach(act => act(doc))
  add('offline, and then all again', whole(doc), connection)
}
{
  // A page that is opened again and again is another client each time.
  let kept = null
  for (const client of [50, 40, 60, 30, 70, 20, 80, 10, 90, 5, 45, 55]) {
    const doc = newDoc({ client })
    if (kept) Y.applyUpdate(doc, kept)
    set('k', answer(`from ${client}`))(doc)
    kept = whole(doc)
  }
  add('one key, twelve clients', kept)
  add('one key, twelve clients, merged', Y.mergeUpdates([kept, kept]))
}
for (const [mine, other] of [[100, 200], [200, 100]]) {
  const gc = mine < other
  const both = () => {
    const docs = [newDoc({ client: mine, gc }), newDoc({ client: other, gc })]
    set('k', answer('first'))(docs[0])
    Y.applyUpdate(docs[1], whole(docs[0]))
    return docs
  }
  const [laptop, phone] = both()
  set('k', answer('laptop'))(laptop)
  set('k', answer('phone'))(phone)
  set('k', answer('phone again'))(phone)
  add(`two replicas of one person, ${mine} first, merged`, Y.mergeUpdates([laptop, phone].map(whole)))
  Y.applyUpdate(laptop, whole(phone))
  add(`two replicas of one person, ${mine} first, whole`, whole(laptop))
  set('k', answer('laptop, knowing'))(laptop)
  add(`two replicas of one person, ${mine} first, and again`, whole(laptop))
  add(`two replicas of one person, ${mine} first, and again, merged`, Y.mergeUpdates([laptop, phone].map(whole)))

  // What was put after an early one of many that were overwritten.
  const [early, late] = both()
  for (let n = 1; n <= 4; n++) set('k', answer(`r${n}`))(early)
  unset('k')(early)
  set('k', answer('after the first'))(late)
  add(`after an early one, ${mine} first, merged`, Y.mergeUpdates([early, late].map(whole)))
  Y.applyUpdate(late, whole(early))
  add(`after an early one, ${mine} first, whole`, whole(late))

  // And after the last of them, too: by a higher client than all, which does not help it if the early one comes later.
  const latest = newDoc({ client: 300, gc })
  Y.applyUpdate(latest, whole(early))
  set('k', answer('after the last'))(latest)
  add(`after an early and the last one, ${mine} first, merged`, Y.mergeUpdates([early, latest, late].map(whole)))

  // Another page of the same browser tells this one, which passes it on.
  const [page, another] = both()
  const connection = newConnection()
  add(`passed on by ${mine}, whole`, whole(page), connection)
  page.on('update', update => add(`passed on by ${mine}`, update, connection))
  set('k', answer('another page'))(another)
  Y.applyUpdate(page, whole(another))
  set('k', answer('this page'))(page)
  Y.applyUpdate(another, whole(page))
  set('k', answer('another page again'))(another)
  Y.applyUpdate(page, whole(another))
}
{
  // Somebody else has overwritten what this page has overwritten, too.
  const [page, another] = [newDoc({ client: 100 }), newDoc({ client: 200 })]
  const connection = newConnection()
  set('k', answer('first'))(page)
  Y.applyUpdate(another, whole(page))
  set('k', answer('this page'))(page)
  add('overwritten twice, whole', whole(page), connection)
  page.on('update', update => add('overwritten twice', update, connection))
  set('k', answer('another page'))(another)
  Y.applyUpdate(page, whole(another))
  set('k', answer('knowing both'))(page)
}
{
  const doc = newDoc()
  const undo = new Y.UndoManager(doc.getMap('answers'), { captureTimeout: 0 })
  const steps = [set('k', answer('r1')), set('k', answer('r2')), () => undo.undo(), () => undo.redo(), () => undo.undo(), () => undo.undo(), () => undo.redo(), set('k', answer('r3'))]
  record('undone and redone', doc, ...steps)
}
{
  const everywhere = value => doc => {
    doc.getMap('other').set('k', answer(`other ${value}`))
    doc.getMap('answers').has('inner') || doc.getMap('answers').set('inner', new Y.Map())
    doc.getMap('answers').get('inner').set('k', answer(`inner ${value}`))
    doc.getArray('list').insert(0, [answer(`list ${value}`)])
    doc.get('x', Y.XmlElement).setAttribute('k', value)
    value === 'again' || doc.getMap('answers').set('k', answer(value))
  }
  record('the same keys elsewhere', newDoc(), everywhere('once'), everywhere('twice'), everywhere('again'))
  record('only elsewhere', newDoc(), ...['r1', 'r2', 'r3'].map(id => doc => doc.getMap('other').set('k', answer(id))))
  record('a list of that name, at its end', newDoc(), ...['r1', 'r2', 'r3'].map(id => doc => doc.getArray('answers').push([answer(id)])))
}
{
  const doc = newDoc()
  const emitted = []
  doc.on('update', update => emitted.push(update))
  ;[set('k', answer('r1')), set('k', answer('r2')), set('k', answer('r3')), set('k2', answer('r4'))].forEach(act => act(doc))
  add('what it overwrites is not known', emitted[1])
  add('what it overwrites overwrites something unknown', Y.mergeUpdates([emitted[1], emitted[2]]))
  add('what it overwrites is missing', Y.mergeUpdates([emitted[0], emitted[2], emitted[3]]))
  // What waits for others is passed on without a word of its being under a key.
  const late = newDoc()
  Y.applyUpdate(late, emitted[0])
  Y.applyUpdate(late, emitted[2])
  add('an overwrite that waits is passed on', whole(late))
  const told = newDoc()
  ;[emitted[0], emitted[1], emitted[3]].forEach(update => Y.applyUpdate(told, update))
  told.getText('t').insert(0, 'x')
  Y.applyUpdate(told, Y.mergeUpdates([emitted[2], emitted[2]]))
  add('a replica with something that waited', whole(told))
}

// ---- several clients, differences, merges

const crowd = (size, act) => {
  const docs = Array.from({ length: size }, () => newDoc())
  docs.forEach(act)
  const all = newDoc()
  docs.forEach(doc => Y.applyUpdate(all, whole(doc)))
  return { docs, all }
}
{
  const { docs, all } = crowd(5, (doc, n) => {
    doc.getMap('answers').set(`k${n}`, answer(`r${n}`))
    doc.getText('t').insert(0, `client ${n}`)
    doc.getMap('answers').set(`k${n}b`, answer(`r${n}b`))
  })
  add('five clients', whole(all))
  add('five clients, merged', Y.mergeUpdates(docs.map(whole)))
  add('five clients, the rest', Y.encodeStateAsUpdate(all, Y.encodeStateVector(docs[2])))
  all.getText('t').delete(3, 11)
  docs[0].getMap('answers').delete('k0')
  Y.applyUpdate(all, whole(docs[0]))
  add('five clients after deletions', whole(all))
}
{
  const { all } = crowd(3, (doc, n) => doc.getMap('answers').set('same', answer('r1', `from ${n}`)))
  add('three clients, one key', whole(all))
}
{
  const doc = newDoc()
  const emitted = []
  doc.on('update', update => emitted.push(update))
  for (let n = 0; n < 8; n++) doc.getMap('answers').set(`k${n}`, answer(`r${n}`))
  doc.getText('t').insert(0, 'hello')
  doc.getText('t').insert(5, ' world')
  add('gaps', Y.mergeUpdates([emitted[0], emitted[3], emitted[7]]))
  add('gaps and text', Y.mergeUpdates([emitted[1], emitted[9], emitted[5]]))
  add('from the middle of a text', Y.diffUpdate(whole(doc), Y.encodeStateVector(new Map([[doc.clientID, 11]]))))
  add('gaps, the rest', Y.diffUpdate(Y.mergeUpdates([emitted[0], emitted[2], emitted[4], emitted[6]]), Y.encodeStateVector(new Map([[doc.clientID, 3]]))))
  add('one that waits for others', emitted[9])
  const late = newDoc()
  Y.applyUpdate(late, emitted[6])
  add('what waits is passed on', whole(late))
}
{
  // What our own document gives, with ids that no client has.
  const doc = newDoc({ client: ROOM })
  doc.getArray('inputRequests').push([{ id: 'r1', status: 'pending' }, { id: 'r2', status: 'pending' }])
  doc.getArray('inputRequests').delete(0, 1)
  const replica = newDoc()
  Y.applyUpdate(replica, whole(doc))
  replica.getMap('answers').set('k', answer('r2'))
  add('a replica, whole', whole(replica))
  add('a replica, what the room has not', Y.encodeStateAsUpdate(replica, Y.encodeStateVector(doc)))
}
record('the largest id', newDoc({ client: Number.MAX_SAFE_INTEGER }), doc => doc.getMap('answers').set('k', answer('r1')))

// At random: several clients that do all they can, and tell each other now and then.
for (let round = 0; round < 12; round++) {
  const docs = Array.from({ length: 2 + random(4) }, () => newDoc({ gc: random(2) === 0, client: random(2 ** 32) }))
  for (let step = 0; step < 40; step++) {
    const doc = docs[random(docs.length)]
    const map = doc.getMap('answers')
    const list = doc.getArray('a')
    const text = doc.getText('t')
    const actions = [
      () => map.set(`${round}-${step}`, answer(`r${step}`, '😀'.repeat(random(4)))),
      () => map.set(`${random(5)}`, answer(`r${step}`)),
      () => map.set(`${step}`, [5, 'x', new Y.Map(), { deep: [{}] }][random(4)]),
      () => { const keys = [...map.keys()]; keys.length && map.delete(keys[random(keys.length)]) },
      () => list.insert(random(list.length + 1), [step, { step }, 'é'].slice(0, 1 + random(3))),
      () => list.length && list.delete(random(list.length), 1),
      () => text.insert(random(text.length + 1), ['a', '😀', 'words '][random(3)], random(2) ? { b: step } : undefined),
      () => text.length && text.delete(random(text.length), 1),
      () => text.insertEmbed(0, { step }),
      () => { const other = docs[random(docs.length)]; Y.applyUpdate(other, Y.encodeStateAsUpdate(doc, Y.encodeStateVector(other))) }
    ]
    actions[random(actions.length)]()
  }
  add(`at random ${round}, whole`, whole(docs[0]))
  add(`at random ${round}, the rest`, Y.encodeStateAsUpdate(docs[0], Y.encodeStateVector(docs[1])))
  add(`at random ${round}, merged`, Y.mergeUpdates(docs.map(whole)))
}
{
  // Ten thousand clients, each of which has written one thing; every hundredth proposes.
  const parts = []
  for (let n = 0; n < 10_000; n++) {
    const doc = newDoc({ client: n })
    if (n % 100 === 0) doc.getMap('answers').set(`k${n}`, { requestId: `r${n}` })
    else doc.getArray('').push([null])
    parts.push(whole(doc))
  }
  add('ten thousand clients', Y.mergeUpdates(parts))
}

// ---- updates that were damaged, and that Yjs reads to the end all the same

const decodesToTheEnd = update => {
  try {
    // Yjs itself would not notice what is left over; so it is written again, and compared.
    const again = Y.convertUpdateFormatV2ToV1(Y.convertUpdateFormatV1ToV2(update))
    return again.length === update.length
  } catch { return false }
}
const damaged = []
const small = updates.filter(({ bytes }) => bytes.length < 400 && bytes.length > 40)
for (let tries = 0; damaged.length < 300 && tries < 200_000; tries++) {
  const original = small[random(small.length)]
  const bytes = Uint8Array.from(Buffer.from(original.bytes, 'base64'))
  for (let flips = 1 + random(2); flips > 0; flips--) bytes[random(bytes.length)] = random(4) ? random(256) : random(12)
  if (Buffer.from(bytes).toString('base64') === original.bytes || !decodesToTheEnd(bytes)) continue
  // Most damage is to a letter, which is dull.
  let proposals
  try { proposals = expected(bytes) } catch { continue }
  const isDull = JSON.stringify(proposals.map(p => [p[0].length, p.length])) === JSON.stringify(original.proposals.map(p => [p[0].length, p.length]))
  if (isDull && random(20) > 0) continue
  damaged.push({ bytes: base64(bytes), proposals })
}

// ---- values

const any = [
  null, true, false, 0, 1, -1, 63, 64, -63, -64, 127, 128, 8191, 8192, -8192, 2 ** 31 - 1, -(2 ** 31 - 1), 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53 - 1, 2 ** 53,
  -(2 ** 53), 0.5, -0.5, 0.1, 1 / 3, 1e10, 1e21, 1e38, 3.4028234663852886e38, 3.4028235e38, 3.5e38, 1e-40, 1.401298464324817e-45, 7e-46, 1e300, 5e-324, 1.7976931348623157e308, 16777216, 16777217.5,
  4294967295, 1.25, 9007199254740991.0, '', 'a', 'é', '鍵', '😀', '\u0000\u001f', '"\\/', 'x'.repeat(127), 'x'.repeat(128), 'é'.repeat(300), [], [null], [[]], [1, [2, [3]]], {}, { a: 1 },
  { b: 1, a: 2, '': 3 }, { 10: 'b', 9: 'a', z: 'c' }, { nested: { list: [{ deep: [null, true, 'x', 1.5] }] } }, answer('r1'), { 'ключ': '🔑' }, Array(200).fill(0)
].map(value => ({ json: JSON.stringify(value), bytes: base64(written(encoder => encoding.writeAny(encoder, value))) }))
any.push({ json: '-0', bytes: base64(written(encoder => encoding.writeAny(encoder, -0))) })

// ---- state vectors

const stateVectors = [[], [[1, 1]], [[ROOM, 7]], [[ROOM, 7], [5, 3], [2 ** 32 - 1, 2]], [[ROOM + 1, 7]], [[2 ** 32, 1], [ROOM, 2]], [[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]],
  [[ROOM, Number.MAX_SAFE_INTEGER]], Array.from({ length: 2_000 }, (_, n) => [n, 1])].map(entries => {
  const state = new Map(entries)
  const bytes = Y.encodeStateVector(state)
  return { bytes: base64(bytes), own: ROOM, clock: state.get(ROOM) ?? 0, other: entries.some(([client]) => client >= 2 ** 32 && client !== ROOM) }
})
{
  const replica = new Y.Doc()
  Y.applyUpdate(replica, Buffer.from(updates.find(({ name }) => name === 'a replica, whole').bytes, 'base64'))
  stateVectors.push({ bytes: base64(Y.encodeStateVector(replica)), own: ROOM, clock: 2, other: false })
}

// ---- awareness

const awareness = [[], [{}], [null], [{ name: 'é', cursor: { at: [1, 2.5] } }, null, { away: true }], [{ big: 'x'.repeat(1014) }, { big: 'x'.repeat(1013) }], ['text', 7, [], true, { kept: 1 }],
  Array.from({ length: 70 }, (_, n) => ({ n }))].map(states => {
  const all = new Map(states.map((state, n) => [2 ** 31 + n, state]))
  const meta = new Map([...all.keys()].map((client, n) => [client, { clock: n }]))
  const bytes = awarenessProtocol.encodeAwarenessUpdate({ meta }, [...all.keys()], all)
  const entries = [...all].map(([client, state]) => ({ client, clock: meta.get(client).clock, state }))
    .filter(({ state }) => state === null || (isPlainObject(state) && Buffer.byteLength(JSON.stringify(state)) <= 1024)).slice(0, 64)
  return { bytes: base64(bytes), entries }
})

const lines = list => '[\n' + list.map(entry => JSON.stringify(entry)).join(',\n') + '\n]'
const parts = { updates: updates.map(({ connection, ...entry }) => entry), damaged, any, stateVectors, awareness }
console.log('{\n' + Object.entries(parts).map(([name, list]) => `"${name}": ${lines(list)}`).join(',\n') + '\n}')
console.error(Object.entries(parts).map(([name, list]) => `${name} ${list.length}`).join(', '))
console.error(`${checked} updates are as Yjs has them`)
