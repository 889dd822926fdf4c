import { EventEmitter } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readStopCode, createStopSignal } from '../../../../cli/local/run/createStopSignal.ts';

const test = suite('svc run: signals');

/** Signals by hand, and the exit codes that were forced. */
function signals() {
  const emitter = new EventEmitter();
  const forced: number[] = [];
  return { emitter, forced, ...createStopSignal(emitter, (code) => forced.push(code)) };
}

test('the first signal asks to stop, with its exit code', () => {
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 143],
  ] as const) {
    const { emitter, forced, signal } = signals();
    assert.is(readStopCode(signal), null);
    emitter.emit(name);
    assert.is(readStopCode(signal), code);
    assert.equal(forced, []);
  }
});

test('the second one ends the process at once', () => {
  const { emitter, forced } = signals();
  emitter.emit('SIGTERM');
  emitter.emit('SIGINT');
  assert.equal(forced, [130]);
});

test('a released one no longer listens', () => {
  const { emitter, signal, release } = signals();
  release();
  emitter.emit('SIGINT');
  assert.is(readStopCode(signal), null);
});

test.run();
