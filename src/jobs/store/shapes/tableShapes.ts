import type { Tables } from '../../../contract/records/tables.ts';
import type { TableShapes } from '../../../kernel/sqlite/broken/rowGuard.ts';
import { AUDIT_SHAPES } from './auditShapes.ts';
import { CHAT_SHAPES } from './chatShapes.ts';
import { FORGE_SHAPES } from './forgeShapes.ts';
import { JOB_SHAPES } from './jobShapes.ts';
import { KERNEL_SHAPES } from '../../../kernel/sqlite/broken/kernelShapes.ts';
import { NOTIFICATION_SHAPES } from './notificationShapes.ts';
import { RULE_SHAPES } from './ruleShapes.ts';
import type { Shape } from './shape.ts';
import { TRACE_SHAPES } from './traceShapes.ts';
import { USAGE_SHAPES } from './usageShapes.ts';

export const TABLE_SHAPES: { readonly [Name in keyof Tables]: Shape<Tables[Name]> } = {
  ...JOB_SHAPES,
  ...USAGE_SHAPES,
  ...RULE_SHAPES,
  ...FORGE_SHAPES,
  ...CHAT_SHAPES,
  ...NOTIFICATION_SHAPES,
  ...AUDIT_SHAPES,
  ...TRACE_SHAPES,
};

/** All tables of a state, including the kernel's own. A test compares them with the schema. */
export const STATE_SHAPES: TableShapes = { ...KERNEL_SHAPES, ...TABLE_SHAPES };
