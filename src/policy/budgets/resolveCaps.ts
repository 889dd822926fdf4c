import {
  BUDGET_METRICS,
  BUDGET_SCOPES,
  type BudgetMetric,
  type BudgetScope,
  type Caps,
  toCountedAmount,
  OWN_SCOPES,
} from '../../base/spending/budgetScopes.ts';

/** Who set a cap. */
export type CapSource = 'config' | 'workflow' | 'params' | 'person';

export interface Cap {
  scope: BudgetScope;
  metric: BudgetMetric;
  count: number;
  by: CapSource;
}

/** Sources of a job's caps: each layer can only tighten those above it. */
export interface CapLayers {
  config: Caps;
  /** Factor of the configuration's caps for unattended jobs; 1 = the same. */
  headlessFactor: number;
  interactive: boolean;
  workflow?: Caps | undefined;
  params?: Caps | undefined;
}

const OWN: readonly BudgetScope[] = OWN_SCOPES;

/** The configuration's caps for such a job. A reduced count stays at least 1. */
export function readConfigCaps({
  config,
  headlessFactor,
  interactive,
}: Pick<CapLayers, 'config' | 'headlessFactor' | 'interactive'>): Caps {
  if (interactive || headlessFactor === 1) return config;
  const caps: Caps = { ...config };
  for (const scope of OWN_SCOPES) {
    const set = config[scope];
    if (!set) continue;
    caps[scope] = Object.fromEntries(
      Object.entries(set).map(([metric, cap]) => {
        const smaller = cap * headlessFactor;
        const whole = metric === 'sessions' || metric === 'visits';
        return [metric, whole ? Math.max(1, Math.floor(smaller)) : smaller];
      }),
    );
  }
  return caps;
}

/** Every cap of a job: the tightest of its layers. */
export function resolveCaps(layers: CapLayers): Cap[] {
  const caps: Cap[] = [];
  const { config, workflow, params } = layers;
  // The usual case, and this runs in the commit of each slot.
  if (!workflow && !params && Object.keys(config).length === 0) return caps;
  const of = { config: readConfigCaps(layers), workflow: layers.workflow, params: layers.params };
  for (const scope of BUDGET_SCOPES)
    for (const metric of BUDGET_METRICS) {
      let cap: Cap | undefined;
      for (const by of ['config', 'workflow', 'params'] as const) {
        if (by !== 'config' && !OWN.includes(scope)) continue;
        const set = of[by]?.[scope]?.[metric];
        if (set === undefined) continue;
        const count = toCountedAmount(metric, set);
        if (!cap || count < cap.count) cap = { scope, metric, count, by };
      }
      if (cap) caps.push(cap);
    }
  return caps;
}

export function pickTightestCaps(caps: readonly Cap[]): Cap[] {
  const capsByKey = new Map<string, Cap>();
  for (const cap of caps) {
    const key = `${cap.scope}/${cap.metric}`;
    const other = capsByKey.get(key);
    if (!other || cap.count < other.count) capsByKey.set(key, cap);
  }
  return [...capsByKey.values()];
}
