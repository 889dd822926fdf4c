import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isRequestRefused,
  toSessionResult,
} from '../../../src/executors/process/toSessionResult.ts';

const test = suite('an error with which a program has ended, and the request that was refused');

for (const words of [
  'Prompt is too long',
  'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"messages.0: wrong"}}',
  'API Error: 400 tools.3.custom.input_schema: input_schema does not support oneOf',
  'API Error: 413 request_too_large',
  'Error code: 422 - unprocessable',
  "This model's maximum context length is 32768 tokens. However, your messages resulted in 41520 tokens.",
  '{"error":{"code":400,"message":"request (33056 tokens) exceeds the available context size (32768 tokens)","type":"exceed_context_size_error"}}',
])
  test(`is of one request: ${words}`, () => {
    assert.ok(isRequestRefused(words));
    assert.equal(toSessionResult('error', words), {
      stopReason: 'error',
      error: words,
      fault: 'request-refused',
    });
  });

for (const words of [
  'Invalid API key · Please run /login',
  'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
  'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}',
  'API Error: 429 rate_limit_error',
  'API Error: 529 Overloaded',
  'connect ECONNREFUSED 127.0.0.1:11434',
  'spawn claude ENOENT',
  'Issue 400 could not be opened',
])
  test(`may be of the account: ${words}`, () => {
    assert.not.ok(isRequestRefused(words));
    assert.equal(toSessionResult('error', words), { stopReason: 'error', error: words });
  });

test.run();
