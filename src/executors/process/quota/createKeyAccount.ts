import { sha256 } from '../../../base/system/ids/ids.ts';
import type { CredentialPool } from '../../../base/agents/credentialPool.ts';

/** Hex digits of a key's hash that tell accounts apart: 48 bits reveal nothing about the key. */
const ACCOUNT_DIGITS = 12;

/** Address of an API when no other is set. */
const HOMES: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
  gemini: 'https://generativelanguage.googleapis.com',
};

function toSafeOrigin(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    return 'unknown';
  }
}

/** The pool of an API key. `baseUrl`: null = the vendor's endpoint. */
export const createKeyAccount = (
  kind: string,
  baseUrl: string | null,
  key: string,
): CredentialPool => ({
  kind,
  origin: toSafeOrigin(baseUrl ?? HOMES[kind] ?? ''),
  account: key === '' ? 'none' : sha256(key).slice(0, ACCOUNT_DIGITS),
});
