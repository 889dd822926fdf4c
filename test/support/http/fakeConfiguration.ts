import type { Configuration } from '../../../src/contract/runner/configuration.ts';
import type { ConfigPatch, ConfigReply } from '../../../src/contract/schema/runner/config.ts';

export class FakeConfiguration implements Configuration {
  readonly calls: unknown[][] = [];
  reply: ConfigReply = {
    file: '/home/ana/.svc/config.json',
    config: {},
    values: [],
    warnings: [],
    restart: [],
  };
  failure: unknown = null;

  schema() {
    return { schema: { type: 'object', properties: {} }, live: [] };
  }

  async read() {
    return this.#answer('read');
  }

  async change(patch: ConfigPatch, ifMatch: string | null) {
    return this.#answer('change', patch, ifMatch);
  }

  #answer(...call: unknown[]) {
    this.calls.push(call);
    const { failure } = this;
    this.failure = null;
    if (failure !== null) throw failure;
    return { etag: '"1"', reply: this.reply };
  }
}
