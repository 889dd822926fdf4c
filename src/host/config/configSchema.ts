import { closed } from '../../contract/schema/kit/schemaKit.ts';
import Type from 'typebox';
import { Budgets } from './sections/budgets.ts';
import { Invariants } from './sections/invariants.ts';
import { NoProgress } from './sections/noProgress.ts';
import { Checkout } from './sections/checkout.ts';
import { Cloud } from './sections/cloud.ts';
import { CoachMode } from './sections/coachMode.ts';
import { Decision } from './sections/decision.ts';
import { Forges } from './sections/forges.ts';
import { Guardrails } from './sections/guardrails.ts';
import { Intake } from './sections/intake.ts';
import { IntelligenceSection } from './sections/intelligence.ts';
import { LegacyGit, LegacyTracker } from './sections/legacy.ts';
import { Llm } from './sections/llm.ts';
import { InheritClaudeCodeMcps, McpServers } from './sections/mcpServers.ts';
import { Notifications } from './sections/notifications.ts';
import { Paths } from './sections/paths.ts';
import { Plugins } from './sections/plugins.ts';
import { Proposals } from './sections/proposals.ts';
import { Backup } from './sections/backup.ts';
import { Retention } from './sections/retention.ts';
import { RunnerSection } from './sections/runner.ts';
import { Schedules } from './sections/schedules.ts';
import { Server } from './sections/server.ts';
import { Setup } from './sections/setup.ts';
import { Tenant } from './sections/tenant.ts';
import { TenantSettings } from './sections/tenantSettings.ts';
import { Traces } from './sections/traces.ts';
import { Triggers } from './sections/triggers.ts';

/**
 * The config file (`<home>/config.json`), the one source of what it may hold, what each key means
 * and what holds without it. Paths may begin with `~`; relative ones count from the folder of the
 * file. `secret` marks what is never shown.
 */
export const Config = Type.Object(
  {
    $schema: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: 'Address of the schema of this file, for editors.',
      }),
    ),
    paths: Paths,
    intelligence: IntelligenceSection,
    tenant: Tenant,
    settings: TenantSettings,
    plugins: Plugins,
    triggers: Triggers,
    schedules: Schedules,
    llm: Llm,
    git: Type.Optional(LegacyGit),
    tracker: Type.Optional(LegacyTracker),
    runner: RunnerSection,
    checkout: Checkout,
    notifications: Notifications,
    traces: Traces,
    retention: Retention,
    backup: Backup,
    server: Server,
    forges: Forges,
    guardrails: Guardrails,
    mcpServers: McpServers,
    inheritClaudeCodeMcps: InheritClaudeCodeMcps,
    proposals: Proposals,
    cloud: Cloud,
    setup: Setup,
    coachMode: CoachMode,
    intake: Intake,
    budgets: Budgets,
    noProgress: NoProgress,
    invariants: Invariants,
    decision: Decision,
  },
  closed,
);
export type Config = Type.Static<typeof Config>;

/**
 * A key with a default may be left out; TypeBox counts it as required, because it is always there
 * once defaults are filled in.
 */
function toPublishedSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toPublishedSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, toPublishedSchema(value)]),
  );
  if (!Type.IsObject(schema) || !Array.isArray(schema.required)) return copy;
  const requiredKeys = schema.required.filter(
    (key) => !('default' in (schema.properties[key] ?? {})),
  );
  const { required: _all, ...others } = copy;
  return requiredKeys.length > 0 ? { ...others, required: requiredKeys } : others;
}

/**
 * The JSON Schema of the config file, for editors and other programs: draft 7, as that of workflows,
 * because every editor knows it.
 */
export const buildConfigJsonSchema = (): Record<string, unknown> => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Configuration of svc',
  ...Object(toPublishedSchema(Config)),
});
