// What a script does not find in the language, or finds changed: whatever makes code from text, and functions that the engine
// can't be interrupted in, or that overflow its stack, or that forget values. `isShort` knows an array that is no proxy and
// has at most `most` elements.
(no, isShort, most) => {
    'use strict';
    // As they are before the script can change them.
    const { Boolean, JSON, Number, Object, Promise, RangeError, TypeError } = globalThis;
    const { apply } = Reflect;
    const { defineProperty, getOwnPropertyNames, getPrototypeOf } = Object;
    const { isArray } = Array;
    const { isConcatSpreadable } = Symbol;

    const put = (owner, methods) => {
        for (const name of getOwnPropertyNames(methods))
            defineProperty(owner, name, { value: methods[name], writable: true, enumerable: false, configurable: true });
    };

    // What a script does can be read in it.
    for (const made of [function () {}, async function () {}, function* () {}, async function* () {}])
        put(getPrototypeOf(made), { constructor: no });
    defineProperty(no, 'prototype', { value: Function.prototype });
    globalThis.Function = globalThis.eval = no;

    // They run a script's code while an error is made, which may be the one that interrupts it.
    delete Error.prepareStackTrace;
    delete Error.stackTraceLimit;

    // A chain of them overflows the stack.
    const iterator = getPrototypeOf(getPrototypeOf([].values()));
    for (const name of getOwnPropertyNames(iterator)) delete iterator[name];
    delete globalThis.Iterator;

    // A length is quickly said: these would count up to it, and look at nothing else.
    const array = Array.prototype;
    for (const name of ['copyWithin', 'reverse', 'shift', 'sort', 'splice', 'unshift']) {
        const native = array[name];
        put(array, {
            [name](...given) {
                if (!isShort(this)) throw new TypeError(`${name} is for arrays here, of at most ${most} elements`);
                return apply(native, this, given);
            },
        });
    }
    const object = (value) => {
        if (value === undefined || value === null) throw new TypeError('cannot convert to object');
        return Object(value);
    };
    const dense = (from) => {
        if (isShort(from)) return from;
        const source = object(from);
        const { length } = source;
        const to = [];
        for (let at = 0; at < length; at++) if (at in source) to[at] = source[at];
        if (length > to.length) to.length = length;
        return to;
    };
    for (const name of ['join', 'slice', 'toLocaleString']) {
        const native = array[name];
        put(array, {
            [name](...given) {
                return apply(native, dense(this), given);
            },
        });
    }
    const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
    const spreads = (item) => {
        const says = isObject(item) ? item[isConcatSpreadable] : false;
        return says === undefined ? isArray(item) : Boolean(says);
    };
    const flatten = (to, from, depth) => {
        const { length } = from;
        for (let at = 0; at < length; at++) {
            if (!(at in from)) continue;
            const item = from[at];
            if (depth > 0 && isArray(item)) flatten(to, item, depth - 1);
            else to[to.length] = item;
        }
        return to;
    };
    put(array, {
        concat(...items) {
            const to = [];
            let end = 0;
            for (let number = -1; number < items.length; number++) {
                const item = number < 0 ? object(this) : items[number];
                if (!spreads(item)) {
                    to[end++] = item;
                    continue;
                }
                const { length } = item;
                for (let at = 0; at < length; at++, end++) if (at in item) to[end] = item[at];
            }
            to.length = end;
            return to;
        },
        flat(depth = 1) {
            return flatten([], object(this), Number(depth));
        },
        flatMap(made, that) {
            const from = object(this);
            const { length } = from;
            const to = [];
            for (let at = 0; at < length; at++)
                if (at in from) flatten(to, [apply(made, that, [from[at], at, from])], 1);
            return to;
        },
    });

    put(String, {
        raw({ raw }, ...given) {
            const { length } = object(raw);
            let made = '';
            for (let at = 0; at < length; at++) {
                made += `${raw[at]}`;
                if (at + 1 < length && at < given.length) made += `${given[at]}`;
            }
            return made;
        },
    });
    const { stringify } = JSON;
    put(JSON, {
        stringify(value, replacer, space) {
            if (isArray(replacer) && !isShort(replacer))
                throw new TypeError(`the names to write are an array here, of at most ${most} elements`);
            return stringify(value, replacer, space);
        },
    });

    // What goes wrong in it is a rejection, and told like any other.
    const { resolve } = Promise;
    const { then } = Promise.prototype;
    put(globalThis, {
        queueMicrotask(task) {
            if (typeof task !== 'function') throw new TypeError('queueMicrotask takes a function');
            apply(then, apply(resolve, Promise, []), [() => void task()]);
        },
    });

    // What takes the product of two lengths is not for long texts, what takes the square of one is for short ones.
    const PRODUCT = 2 ** 32;
    const SQUARED = 2 ** 14;
    const text = String.prototype;
    const { includes } = text;
    const { match } = Symbol;
    const seek = (name, native, here, sought, second) => {
        const whole = here === undefined || here === null ? here : `${here}`;
        const part = isObject(sought) ? `${sought}` : sought;
        if (typeof part === 'string' && whole && whole.length * part.length > PRODUCT)
            throw new RangeError(`the texts are too long for ${name}`);
        return apply(native, whole, [part, second]);
    };
    for (const name of ['includes', 'indexOf', 'lastIndexOf']) {
        const native = text[name];
        put(text, {
            [name](sought, from) {
                if (name === 'includes' && isObject(sought) && sought[match] !== undefined)
                    throw new TypeError('includes takes no regular expression');
                return seek(name, native, this, sought, from);
            },
        });
    }
    for (const name of ['replace', 'replaceAll', 'split']) {
        const native = text[name];
        const symbol = name === 'split' ? Symbol.split : Symbol.replace;
        put(text, {
            [name](sought, second) {
                if (isObject(sought)) {
                    if (name === 'replaceAll' && sought[match] !== undefined && !apply(includes, `${sought.flags}`, ['g']))
                        throw new TypeError('replaceAll takes a regular expression with the flag g');
                    const method = sought[symbol];
                    if (method !== undefined && method !== null) return apply(method, sought, [this, second]);
                }
                return seek(name, native, this, sought, second);
            },
        });
    }
    for (const name of ['localeCompare', 'normalize']) {
        const native = text[name];
        put(text, {
            [name](given) {
                const other = isObject(given) ? `${given}` : given;
                const whole = isObject(this) ? `${this}` : this;
                const isLong = (one) => typeof one === 'string' && one.length > SQUARED;
                if (isLong(whole) || isLong(other)) throw new RangeError(`the text is too long for ${name}`);
                return apply(native, whole, [other]);
            },
        });
    }
}
