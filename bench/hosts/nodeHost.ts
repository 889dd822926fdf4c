import { silentLog } from '../../src/base/system/log/log.ts';
import { KnownSecrets } from '../../src/base/secrets/knownSecrets.ts';
import { startControlPlane } from '../../src/cloud/main.ts';
import { MAX_REQUEST_LIMIT } from '../../src/base/limits/requestLimit.ts';
import type { TakeoverSettings } from '../../src/cloud/homes/takeovers.ts';
import { answerCalls } from '../hostProcess.ts';

/** A node of a control plane; its takeovers may be shorter than `svc cloud start` allows. */
const calls = {
  async start(database: string, takeover: Partial<TakeoverSettings>) {
    const node = await startControlPlane({
      host: '127.0.0.1',
      port: 0,
      publicUrl: null,
      nodeUrl: null,
      version: '0.0.0-bench',
      log: silentLog,
      secrets: new KnownSecrets(),
      database,
      localPostgres: null,
      takeover,
      requestLimit: MAX_REQUEST_LIMIT,
    });
    return { publicUrl: node.publicUrl, ownerLink: await node.createOwnerLink() };
  },
};

export type NodeHostCalls = typeof calls;

answerCalls(calls);
