import type { Tables } from '../../../contract/records/tables.ts';
import type { ColumnSpec } from './createColumnCheck.ts';
import { CHAT_SHAPES } from './chatShapes.ts';
import { FORGE_SHAPES } from './forgeShapes.ts';
import { JOB_SHAPES } from './jobShapes.ts';
import { KERNEL_SHAPES } from './kernelShapes.ts';
import { RULE_SHAPES } from './ruleShapes.ts';
import type { Shape } from './shape.ts';
import { USAGE_SHAPES } from './usageShapes.ts';

const FEATURE_SHAPES: { readonly [Name in keyof Tables]: Shape<Tables[Name]> } = {
  ...JOB_SHAPES,
  ...USAGE_SHAPES,
  ...RULE_SHAPES,
  ...FORGE_SHAPES,
  ...CHAT_SHAPES,
};

/** What the columns of every table of state.db may hold. A test compares it with the schema. */
export const TABLE_SHAPES: Readonly<Record<string, Readonly<Record<string, ColumnSpec>>>> = {
  ...KERNEL_SHAPES,
  ...FEATURE_SHAPES,
};
