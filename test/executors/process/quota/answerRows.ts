import type { QuotaHit } from '../../../../src/base/agents/quotaKinds.ts';
import type { RefusedAnswer } from '../../../../src/executors/process/quota/readAnswerQuota.ts';

/** An answer of an endpoint, and where it is documented or was seen. */
export interface AnswerRow {
  what: string;
  source: string;
  answer: RefusedAnswer;
  hit: QuotaHit | null;
}

/** Sunday; the clock of the tests. */
export const NOW = Date.UTC(2026, 10, 22, 12);
const S = 1_000;
const H = 3_600_000;

const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } });
const openai = (code: string, message: string) => ({
  error: { message, type: code, param: null, code },
});
const google = (message: string, details: readonly unknown[] = []) => ({
  error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details },
});
const epoch = (ms: number): string => String(ms / S);

const OPENCODE = 'https://github.com/anomalyco/opencode/issues';
const ANTHROPIC_LIMITS = 'https://platform.claude.com/docs/en/api/rate-limits';
const DIGEST = 'https://www.developersdigest.tech/errors/api';

export const ANSWER_ROWS: readonly AnswerRow[] = [
  {
    what: 'Anthropic API: a limit per minute with a wait',
    source: `${DIGEST}/anthropic-api/429-rate-limit-error`,
    answer: {
      status: 429,
      headers: { 'retry-after': '37' },
      body: anthropic(
        'rate_limit_error',
        'This request would exceed the rate limit for your organization of 20,000 input tokens per minute.',
      ),
    },
    hit: { kind: 'throttled', window: 'minute', resetsAt: NOW + 37 * S },
  },
  {
    what: 'Anthropic API: of several limits the one that resets last counts',
    source: ANTHROPIC_LIMITS,
    answer: {
      status: 429,
      headers: {
        'anthropic-ratelimit-requests-limit': '50',
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-11-22T12:00:20Z',
        'anthropic-ratelimit-tokens-limit': '30000',
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-11-22T12:00:50Z',
        'retry-after': '20',
      },
      body: anthropic('rate_limit_error', 'Number of requests has exceeded your rate limit.'),
    },
    hit: { kind: 'throttled', window: 'tokens', resetsAt: NOW + 50 * S },
  },
  {
    what: 'Anthropic API: a 429 that says no time',
    source: 'https://github.com/gsd-build/gsd-2/issues/32',
    answer: {
      status: 429,
      headers: {},
      body: anthropic(
        'rate_limit_error',
        "This request would exceed your account's rate limit. Please try again later.",
      ),
    },
    hit: { kind: 'throttled', window: null, resetsAt: null },
  },
  {
    what: 'Anthropic API: overloaded',
    source: 'https://docs.llmgateway.io/troubleshooting/anthropic-529-overloaded',
    answer: { status: 529, headers: {}, body: anthropic('overloaded_error', 'Overloaded') },
    hit: { kind: 'overloaded', window: null, resetsAt: null },
  },
  {
    what: 'Anthropic API: no credit, as a 400',
    source: 'https://github.com/anthropics/claude-code/issues/66314',
    answer: {
      status: 400,
      headers: {},
      body: anthropic(
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      ),
    },
    hit: { kind: 'billing', window: null, resetsAt: null },
  },
  {
    what: 'Anthropic API: the spend limit that the owner has set is money, whatever date it names',
    source: 'https://github.com/anthropics/claude-code/issues/38035',
    answer: {
      status: 400,
      headers: {},
      body: anthropic(
        'invalid_request_error',
        'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
      ),
    },
    hit: { kind: 'billing', window: null, resetsAt: null },
  },
  {
    what: "Anthropic API: a 429 for the tier's spend cap is money, though it is called a rate limit",
    source: ANTHROPIC_LIMITS,
    answer: {
      status: 429,
      headers: {},
      body: {
        type: 'error',
        error: {
          type: 'rate_limit_error',
          message:
            "You have reached your API usage limits: your organization has crossed its monthly API usage threshold, set based on your organization's API tier. You will regain access on 2026-12-01 at 00:00 UTC.",
          details: { error_code: 'enforced_spend_limit_reached' },
        },
      },
    },
    hit: { kind: 'billing', window: 'month', resetsAt: null },
  },
  {
    what: 'Anthropic API: payment required',
    source: 'https://platform.claude.com/docs/en/api/errors',
    answer: {
      status: 402,
      headers: {},
      body: anthropic(
        'billing_error',
        "There's an issue with your billing or payment information.",
      ),
    },
    hit: { kind: 'billing', window: null, resetsAt: null },
  },
  {
    what: 'Claude subscription: five hours are used up; a measured wait is not shortened',
    source: 'https://github.com/lidge-jun/opencodex/pull/3809',
    answer: {
      status: 429,
      headers: {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        'anthropic-ratelimit-unified-5h-status': 'rejected',
        'anthropic-ratelimit-unified-5h-utilization': '1.0',
        'anthropic-ratelimit-unified-5h-reset': epoch(NOW + 7_999 * S),
        'anthropic-ratelimit-unified-7d-status': 'allowed',
        'anthropic-ratelimit-unified-7d-utilization': '0.4',
        'anthropic-ratelimit-unified-7d-reset': epoch(NOW + 90 * H),
        'retry-after': '7999',
      },
      body: anthropic('rate_limit_error', 'Error'),
    },
    hit: { kind: 'exhausted', window: '5 hours', resetsAt: NOW + 7_999 * S },
  },
  {
    what: 'Claude subscription: of two refused windows the later reset counts',
    source: 'https://github.com/lidge-jun/opencodex/pull/3809',
    answer: {
      status: 429,
      headers: {
        'anthropic-ratelimit-unified-5h-status': 'rejected',
        'anthropic-ratelimit-unified-5h-reset': epoch(NOW + 180 * S),
        'anthropic-ratelimit-unified-7d-status': 'rejected',
        'anthropic-ratelimit-unified-7d-reset': epoch(NOW + 70 * H),
        'retry-after': '180',
      },
      body: anthropic('rate_limit_error', 'Error'),
    },
    hit: { kind: 'exhausted', window: '7 days', resetsAt: NOW + 70 * H },
  },
  {
    what: 'OpenAI API: tokens per minute',
    source: 'https://github.com/semanser/codel/issues/72',
    answer: {
      status: 429,
      headers: {
        'x-ratelimit-limit-tokens': '30000',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '18.642s',
      },
      body: openai(
        'rate_limit_exceeded',
        'Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 14567, Requested 24754. Please try again in 18.642s. Visit https://platform.openai.com/account/rate-limits to learn more.',
      ),
    },
    hit: { kind: 'throttled', window: 'tokens', resetsAt: NOW + 18_642 },
  },
  {
    what: 'OpenAI API: milliseconds in the words',
    source: 'https://github.com/BuilderIO/micro-agent/issues/86',
    answer: {
      status: 429,
      headers: {},
      body: openai(
        'rate_limit_exceeded',
        'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29937, Requested 385. Please try again in 644ms.',
      ),
    },
    hit: { kind: 'throttled', window: 'minute', resetsAt: NOW + 644 },
  },
  {
    what: 'OpenAI API: headers that do not count tell no window',
    source: 'https://github.com/openai/openai-dotnet/issues/838',
    answer: {
      status: 429,
      headers: {
        'x-ratelimit-limit-tokens': '-1',
        'x-ratelimit-remaining-tokens': '-1',
        'x-ratelimit-reset-tokens': '0',
      },
      body: openai('rate_limit_exceeded', 'Too many requests.'),
    },
    hit: { kind: 'throttled', window: null, resetsAt: null },
  },
  {
    what: 'OpenAI API: a request that is larger than the limit never fits, so waiting does not help',
    source: 'https://github.com/TheR1D/shell_gpt/issues/653',
    answer: {
      status: 429,
      headers: {},
      body: openai(
        'rate_limit_exceeded',
        'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 31538. The input or output tokens must be reduced in order to run successfully.',
      ),
    },
    hit: null,
  },
  {
    what: 'OpenAI API: no money',
    source: 'https://github.com/OpenHands/OpenHands/issues/998',
    answer: {
      status: 429,
      headers: {},
      body: openai(
        'insufficient_quota',
        'You exceeded your current quota, please check your plan and billing details.',
      ),
    },
    hit: { kind: 'billing', window: null, resetsAt: null },
  },
  {
    what: 'OpenAI API: overloaded, as a 503',
    source: 'https://platform.openai.com/docs/guides/error-codes/api-errors',
    answer: {
      status: 503,
      headers: {},
      body: openai('', 'The engine is currently overloaded, please try again later.'),
    },
    hit: { kind: 'overloaded', window: null, resetsAt: null },
  },
  {
    what: 'Codex: the usage limit of a subscription',
    source: 'https://github.com/earendil-works/pi/issues/4172',
    answer: {
      status: 429,
      headers: {
        'x-codex-primary-used-percent': '100',
        'x-codex-primary-window-minutes': '300',
        'x-codex-primary-reset-after-seconds': '13873',
        'x-codex-secondary-used-percent': '80',
        'x-codex-secondary-window-minutes': '10080',
        'x-codex-secondary-reset-after-seconds': '316705',
      },
      body: {
        error: {
          type: 'usage_limit_reached',
          message: 'The usage limit has been reached',
          plan_type: 'plus',
          resets_at: (NOW + 13_872 * S) / S,
          resets_in_seconds: 13_872,
        },
      },
    },
    hit: { kind: 'exhausted', window: '5 hours', resetsAt: NOW + 13_873 * S },
  },
  {
    what: 'Gemini: a limit per minute with a delay',
    source: 'https://github.com/letterstory/lettertrace/pull/34',
    answer: {
      status: 429,
      headers: {},
      body: google('Resource has been exhausted (e.g. check quota).', [
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '38s' },
      ]),
    },
    hit: { kind: 'throttled', window: null, resetsAt: NOW + 38 * S },
  },
  {
    what: 'Gemini: a limit per day begins again at midnight in the Pacific zone',
    source: 'https://github.com/google-gemini/gemini-cli/issues/6962',
    answer: {
      status: 429,
      headers: {},
      body: google(
        'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.',
        [
          {
            '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
            violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
          },
        ],
      ),
    },
    hit: { kind: 'exhausted', window: 'day', resetsAt: Date.UTC(2026, 10, 23, 8) },
  },
  {
    what: 'Gemini: a delay that it measures counts, though the limit is named after a day',
    source: 'https://github.com/diegosouzapw/OmniRoute/pull/9513',
    answer: {
      status: 429,
      headers: {},
      body: JSON.stringify(
        google(
          'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. Please retry in 36.429760048s.',
          [
            {
              '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
              violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
            },
            { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '36s' },
          ],
        ),
      ),
    },
    hit: { kind: 'throttled', window: 'day', resetsAt: NOW + 36_429.760048 },
  },
  {
    what: 'Gemini: more demand than the model can serve',
    source: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
    answer: {
      status: 503,
      headers: {},
      body: { error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } },
    },
    hit: { kind: 'overloaded', window: null, resetsAt: null },
  },
  {
    what: 'opencode Go: the window of five hours is used up',
    source: 'https://github.com/can1357/oh-my-pi/issues/8771',
    answer: {
      status: 429,
      headers: {},
      body: {
        type: 'error',
        error: {
          type: 'GoUsageLimitError',
          message:
            '5-hour usage limit reached. Resets in 2hr 57min. To continue using this model now, enable usage from your available balance: https://example.invalid',
        },
        metadata: { limitName: '5 hour' },
      },
    },
    hit: { kind: 'exhausted', window: '5 hours', resetsAt: NOW + (2 * 60 + 57) * 60_000 },
  },
  {
    what: 'opencode Go: its provider has too many requests, which is no used-up plan',
    source: `${OPENCODE}/34898`,
    answer: {
      status: 429,
      headers: {},
      body: {
        error: {
          message: 'Error from provider (Console Go): Provider rate limit exceeded',
          type: 'rate_limit_error',
          param: null,
          code: 'provider_rate_limit_exceeded',
        },
      },
    },
    hit: { kind: 'throttled', window: null, resetsAt: null },
  },
  {
    what: 'a wait as a date, with a body that is no JSON',
    source: 'https://www.rfc-editor.org/rfc/rfc9110#field.retry-after',
    answer: {
      status: 429,
      headers: { 'retry-after': 'Sun, 22 Nov 2026 14:00:00 GMT' },
      body: '<html>slow down</html>',
    },
    hit: { kind: 'exhausted', window: null, resetsAt: NOW + 2 * H },
  },
  {
    what: 'a refused key is no limit',
    source: 'https://docs.anthropic.com/en/api/errors',
    answer: {
      status: 401,
      headers: {},
      body: anthropic('authentication_error', 'invalid x-api-key'),
    },
    hit: null,
  },
  {
    what: 'a conversation that is too long is no limit of requests',
    source: 'https://docs.anthropic.com/en/api/errors',
    answer: {
      status: 400,
      headers: {},
      body: anthropic(
        'invalid_request_error',
        'prompt is too long: 210000 tokens > 200000 maximum',
      ),
    },
    hit: null,
  },
  {
    what: 'a gateway that fails for a moment is no limit',
    source: 'https://www.rfc-editor.org/rfc/rfc9110#status.503',
    answer: { status: 503, headers: {}, body: 'upstream connect error' },
    hit: null,
  },
];
