import { summarizeConfigPatch } from '../../../base/audit/summarizeConfigChanges.ts';
import { isJsonObject } from '../../../base/json/isJsonObject.ts';
import { hideAddressLogins } from '../../../base/text/hideAddressLogins.ts';
import type { RouteName } from '../../../contract/routes/addresses.ts';
import type { Route } from '../../../contract/routes/routes.ts';

/**
 * Operations that ask for a credential and are no acts: they only look something up, or belong to a chat, whose own
 * record shows who wrote what.
 */
const NO_ACTS: ReadonlySet<RouteName> = new Set<RouteName>([
  'estimateJob',
  'dryRunGuardrail',
  'replayDecision',
  'checkPlugin',
  'testPlugin',
  'testNotification',
  'pushKey',
  'intakeStream',
  'saveInvestigation',
  'stopInvestigation',
  'checkCitations',
  'pinNewest',
]);

/** Whether a route lets a person change something. A new one does unless {@link NO_ACTS} names it. */
export const isAct = ({ name, method, access }: Route): boolean =>
  method !== 'GET' && access === 'write' && !NO_ACTS.has(name);

/**
 * Members of bodies and queries that entries name: what was chosen. Everything else is left out, above all texts of
 * people, values of settings and content of files.
 */
const NAMED_MEMBERS: { readonly [Name in RouteName]?: readonly string[] } = {
  createJob: ['type', 'workflowPath'],
  resume: ['eventKey', 'shown'],
  snooze: ['until'],
  setBudget: ['key'],
  allowGuardrail: ['rule', 'decision'],
  labelDecision: ['jobId', 'key', 'verdict'],
  approveProposal: ['hash'],
  reviewPullRequest: ['head', 'verdict'],
  approveInSvc: ['head'],
  mergePullRequest: ['head'],
  stopRunner: ['handOver'],
  restartRunner: ['program'],
  leaveTeam: ['abandon'],
  backup: ['work'],
  gc: ['dryRun', 'olderThanMs'],
  installPlugin: ['spec', 'id', 'allowScripts'],
  addTrust: ['repo', 'hash'],
  startVendorLogin: ['executor'],
  completeVendorLogin: ['executor'],
  cancelVendorLogin: ['executor'],
  generateVendorToken: ['executor'],
  writeIntelligenceFile: ['path'],
  removeIntelligenceFile: ['path'],
};

const toValue = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return hideAddressLogins(text);
};

/** Amounts, such as `usd=5`. */
const formatAmounts = (amounts: object): string =>
  Object.entries(amounts)
    .map(([metric, amount]) => `${metric}=${amount}`)
    .join(' ');

function describeBody(name: RouteName, body: object): Record<string, string> {
  if (name === 'updateConfig') return { keys: toValue(summarizeConfigPatch(body)) };
  const { caps, raise, budget, env, settings, params } = body as Record<string, unknown>;
  const { repo } = Object(params);
  return {
    ...(isJsonObject(caps) ? { caps: toValue(formatAmounts(caps)) } : {}),
    ...(isJsonObject(raise) ? { raise: toValue(formatAmounts(raise)) } : {}),
    ...(isJsonObject(budget) ? { raise: toValue(formatAmounts(budget)) } : {}),
    ...(name === 'addTrust' && Array.isArray(env) ? { env: toValue(env.join(' ')) } : {}),
    ...(name === 'applyPluginAuth' && Array.isArray(settings)
      ? { settings: toValue(settings.join(' ')) }
      : {}),
    ...(name === 'createJob' && typeof repo === 'string' ? { repo: toValue(repo) } : {}),
  };
}

interface ActRequest {
  params: object;
  query: unknown;
  body: unknown;
}

/** What an act is about: the values in its address, and what its body chooses. */
export function describeAct(
  name: RouteName,
  { params, query, body }: ActRequest,
): { jobId: string | null; target: Record<string, string> } {
  const { jobId = null, ...others } = params as Record<string, unknown>;
  const parts: Record<string, unknown> = { ...Object(query), ...Object(body) };
  const chosenMembers = (NAMED_MEMBERS[name] ?? []).filter((member) => parts[member] !== undefined);
  const members = [
    ...Object.entries(others),
    ...chosenMembers.map((one) => [one, parts[one]] as const),
  ];
  return {
    jobId: typeof jobId === 'string' ? jobId : null,
    target: {
      ...Object.fromEntries(members.map(([key, value]) => [key, toValue(value)])),
      ...describeBody(name, Object(body)),
    },
  };
}
