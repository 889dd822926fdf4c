import { Args } from '@oclif/core';
import type { Pool } from '../../../src/schema/pool.ts';
import { SvcCommand } from '../../base/base.ts';
import { printableLine } from '../../render/printable.ts';

export default class PoolsOpenCommand extends SvcCommand {
  static override summary = 'Retry an account now, for example after paying its bill.';
  static override description =
    'Wakes one job that waits for the account as a probe; the others follow when it gets an answer.';
  static override examples = [
    '<%= config.bin %> pools open pool:anthropic:https://api.anthropic.com:0123456789ab',
  ];
  static override args = {
    pool: Args.string({ description: 'Id of the pool, as pools list shows it.', required: true }),
  };

  async run(): Promise<Pool> {
    const { args, flags } = await this.parse(PoolsOpenCommand);
    const pool = await (await this.client(flags)).openPool(args.pool);
    this.print(printableLine(`${pool.id} is ${pool.state}; ${pool.waiting} jobs wait for it.`));
    return pool;
  }
}
