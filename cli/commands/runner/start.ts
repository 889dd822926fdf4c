import StartCommand from '../start.ts';

/** The same as `svc start`, under the name that goes with its siblings; runs without oclif too. */
export default class RunnerStartCommand extends StartCommand {
  static override summary = 'Start the runner and its dashboard, as svc start does.';
  static override examples = ['<%= config.bin %> runner start'];
}
