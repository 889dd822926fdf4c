import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ERROR_MESSAGES_FILE, renderErrorMessages } from '../../scripts/reference/errorMessages.ts';
import { ERROR_CODES } from '../../src/base/errors/errors.ts';

const test = suite('pins error messages');

const goldenText = readFileSync(ERROR_MESSAGES_FILE, 'utf8');

test('the one golden list of error messages is that of the sources: npm run reference writes it', () => {
  assert.is(renderErrorMessages(), goldenText);
});

test('every code has its heading in it', () => {
  const headings = [...goldenText.matchAll(/^## (.*)$/gm)].map(([, name]) => name);
  assert.equal(headings, Object.keys(ERROR_CODES));
});

test('filled-in parts are named, and the texts of both branches are listed', () => {
  assert.ok(goldenText.includes('The body is nested deeper than <MAX_JSON_DEPTH> levels.'));
  assert.not(goldenText.includes('${'));
});

test.run();
