import { sha256 } from '../../../shared/system/ids/ids.ts';
import type { CredentialPool } from '../../../shared/agents/credentialPool.ts';

/** Hex digits of a key's hash that tell accounts apart: 48 bits say nothing about the key. */
const ACCOUNT_DIGITS = 12;

/** Where an API is when no other address is set. */
const HOMES: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
  gemini: 'https://generativelanguage.googleapis.com',
};

/** An address without what may be secret in it. */
function toSafeOrigin(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    return 'unknown';
  }
}

/** The pool of an API key. `baseUrl`: null = the endpoint of the API's vendor. */
export const createKeyAccount = (
  kind: string,
  baseUrl: string | null,
  key: string,
): CredentialPool => ({
  kind,
  origin: toSafeOrigin(baseUrl ?? HOMES[kind] ?? ''),
  account: key === '' ? 'none' : sha256(key).slice(0, ACCOUNT_DIGITS),
});
