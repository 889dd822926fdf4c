import { Config } from '@oclif/core';
import { SvcCommand } from '/work/main/cli/base.ts';
import { processIo } from '/work/main/cli/io.ts';
const [name, ...argv] = process.argv.slice(2);
const { default: Command } = await import(`/work/main/cli/commands/workflow/${name}.ts`);
SvcCommand.io = processIo(process, '/tmp');
const config = await Config.load({ root: '/work/main', pjson: { name: 'x', version: '0.2.0', oclif: { bin: 'svc', dirname: 'svc', topicSeparator: ' ' } } as any, ignoreManifest: true });
await Command.run(argv, config);
