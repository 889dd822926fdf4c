import type { Finding, Rule } from '../rule.ts';

/** A rule of svc: what it leaves out is the same for most. */
export const createBuiltInRule = (
  rule: Pick<Rule, 'id' | 'when' | 'do' | 'message' | 'condition' | 'test'> & Partial<Rule>,
): Rule => ({
  source: 'built-in',
  enabled: true,
  tools: null,
  paths: null,
  severity: 'medium',
  limit: null,
  ...rule,
});

export const toFinding = (what: string): Finding => ({ what });
