import StopCommand from '../stop.ts';

/** The same as `svc stop`, under the name that goes with its siblings. */
export default class RunnerStopCommand extends StopCommand {
  // oclif looks for it no further than the parent class.
  static override enableJsonFlag = true;
  static override examples = ['<%= config.bin %> runner stop'];
}
