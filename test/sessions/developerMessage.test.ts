import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  formatDeveloperMessage,
  appendReminder,
} from '../../src/sessions/steering/steeredSession.ts';

const test = suite('messages of developers');

test('a message is marked as words of a person, and the agent is asked to continue with the phase (STR-1)', () => {
  const [message] = appendReminder([{ id: 'm1', text: formatDeveloperMessage('Use tabs.') }]);
  assert.equal(message, {
    id: 'm1',
    text: [
      '[DEVELOPER MESSAGE]',
      'Use tabs.',
      '',
      '[svc] A developer wrote this while you work. Heed it, then continue with the phase where you stopped. End your turn only when the phase is done, or when the message asks you to stop.',
    ].join('\n'),
  });
});

test('of several messages that are sent together only the last one ends with it', () => {
  const messages = appendReminder(['a', 'b', 'c'].map((text) => ({ id: text, text })));
  assert.equal(
    messages.map(({ text }) => text.includes('continue with the phase')),
    [false, false, true],
  );
  assert.equal(appendReminder([]), []);
});

test.run();
