import { findAddressPasswords } from '../../src/base/secrets/findAddressSecrets.ts';
import { KnownSecrets } from '../../src/base/secrets/knownSecrets.ts';
import type { TraceSettings } from '../../src/contract/schema/runner/traceSettings.ts';
import { encodeSpans } from '../../src/host/traces/encodeSpans.ts';
import { parseHeaderList, postSpans } from '../../src/host/traces/postSpans.ts';
import {
  ANSWER_MS,
  type Finding,
  toOkFinding,
  toSkippedFinding,
  toWarningFinding,
} from './check.ts';

/** Sends a request without spans to the collector of traces, which collectors accept. */
export async function checkTraces(
  traces: TraceSettings | undefined,
  env: Readonly<Record<string, string | undefined>>,
  now: () => number,
): Promise<Finding> {
  if (traces === undefined || traces.endpoint === '')
    return toSkippedFinding('traces are off (traces.endpoint in config.json)');
  const { endpoint, headersVariable } = traces;
  const list = headersVariable === '' ? '' : env[headersVariable];
  if (list === undefined)
    return toWarningFinding(
      `the variable ${headersVariable} of traces.headersVariable is not set here`,
      'Set it for the runner, or remove traces.headersVariable.',
    );
  const headers = { ...traces.headers, ...parseHeaderList(list) };
  const { host } = new URL(endpoint);
  const outcome = await postSpans({
    endpoint,
    headers,
    body: encodeSpans({ homeId: '', serviceName: traces.serviceName, version: '' }, []),
    signal: new AbortController().signal,
    timeoutMs: ANSWER_MS,
    now,
  });
  if (outcome.is === 'accepted') return toOkFinding(`the collector at ${host} answers`);
  const secrets = new KnownSecrets();
  secrets.add([...Object.values(headers), ...findAddressPasswords(endpoint)]);
  return toWarningFinding(
    `the collector at ${host} ${secrets.screen(outcome.problem)}`,
    'Check traces.endpoint and traces.headers. Spans wait, and are sent when it accepts them.',
  );
}
