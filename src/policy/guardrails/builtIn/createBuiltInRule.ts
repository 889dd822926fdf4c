import type { Finding, Rule } from '../rule.ts';

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
