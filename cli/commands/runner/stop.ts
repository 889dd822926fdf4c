import StopCommand from '../stop.ts';

/** The same as `svc stop`, under the name that goes with its siblings. */
export default class RunnerStopCommand extends StopCommand {
  static override examples = ['<%= config.bin %> runner stop'];
}
