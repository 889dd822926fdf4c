/**
 * Forms of tokens that are secret anywhere. Each begins with a fixed text or has a fixed length, so
 * that none takes long on any line.
 */
const PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['an access key of AWS', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['a token of GitHub', /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g],
  ['a fine-grained token of GitHub', /\bgithub_pat_[A-Za-z0-9_]{60,255}\b/g],
  ['a token of GitLab', /\bgl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{20,255}/g],
  ['a token of Bitbucket', /\bATBB[A-Za-z0-9]{24,255}\b/g],
  ['a token of Atlassian', /\bATATT3[A-Za-z0-9_=-]{50,255}/g],
  ['a key of Anthropic', /\bsk-ant-[A-Za-z0-9_-]{20,255}/g],
  ['a key of OpenAI', /\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,255}/g],
  ['a key of Google', /\bAIza[A-Za-z0-9_-]{35}/g],
  ['a secret of Google OAuth', /\bGOCSPX-[A-Za-z0-9_-]{28}/g],
  ['a token of Slack', /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g],
  [
    'a webhook of Slack',
    /hooks\.slack\.com\/services\/T[A-Z0-9]{6,12}\/B[A-Z0-9]{6,12}\/[A-Za-z0-9]{20,40}/g,
  ],
  ['a key of Stripe', /\b(?:sk|rk)_live_[A-Za-z0-9]{20,255}\b/g],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['a token of PyPI', /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,255}/g],
  ['a key of SendGrid', /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g],
  ['a key of Linear', /\blin_api_[A-Za-z0-9]{32,64}\b/g],
  ['a token of Hugging Face', /\bhf_[A-Za-z0-9]{34,64}\b/g],
  ['a token of DigitalOcean', /\bdop_v1_[a-f0-9]{64}\b/g],
  // The following text tells two keys apart; it is not removed.
  ['a private key', /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY-----(?=([\s\S]{0,80}))/g],
];

export const SECRET_PATTERN_COUNT = PATTERNS.length;

/** Example keys in vendors' documentation. */
const isExample = (example: string): boolean => /EXAMPLE/.test(example);

/** The kinds of tokens that a text holds, each once. */
export const listSecretKinds = (text: string): string[] =>
  PATTERNS.flatMap(([name, pattern]) =>
    [...text.matchAll(pattern)].some(([match]) => !isExample(match)) ? [name] : [],
  );

export interface FoundToken {
  kind: string;
  /** Equal texts are the same token. */
  token: string;
  at: number;
}

export const findSecretTokens = (text: string): FoundToken[] =>
  PATTERNS.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(([match]) => !isExample(match))
      .map(({ 0: secret, 1: ahead = '', index }) => ({ kind, token: secret + ahead, at: index })),
  );

export const redactSecretTokens = (text: string): string =>
  PATTERNS.reduce(
    (rest, [, pattern]) =>
      rest.replace(pattern, (match) => (isExample(match) ? match : '[secret]')),
    text,
  );
