import { auditMigration } from './auditMigration.ts';
import { blobPartsMigration } from './blobPartsMigration.ts';
import { companyIssuerMigration } from './companyIssuerMigration.ts';
import { databaseOriginMigration } from './databaseOriginMigration.ts';
import { dispatchMigration } from './dispatchMigration.ts';
import { homesMigration } from './homesMigration.ts';
import { jobStatesMigration } from './jobStatesMigration.ts';
import type { Migration } from './migration.ts';
import { nodeKeysMigration } from './nodeKeysMigration.ts';
import { overlayMigration } from './overlayMigration.ts';
import { passwordLinksMigration } from './passwordLinksMigration.ts';
import { replacedCheckpointsMigration } from './replacedCheckpointsMigration.ts';
import { retentionMigration } from './retentionMigration.ts';
import { runnerPlacesMigration } from './runnerPlacesMigration.ts';
import { teamsMigration } from './teamsMigration.ts';
import { webhooksMigration } from './webhooksMigration.ts';

/** In order: the first one makes version 1. */
export const MIGRATIONS: readonly Migration[] = [
  teamsMigration,
  runnerPlacesMigration,
  dispatchMigration,
  homesMigration,
  jobStatesMigration,
  passwordLinksMigration,
  overlayMigration,
  webhooksMigration,
  auditMigration,
  companyIssuerMigration,
  blobPartsMigration,
  nodeKeysMigration,
  replacedCheckpointsMigration,
  retentionMigration,
  databaseOriginMigration,
];
