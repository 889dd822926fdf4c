import type { JobPorts } from '../../machines/index.ts';
import type { Port } from '../durable/port.ts';
import { type OpenSessionDeps, openSession } from '../effects/openSession.ts';
import { type PreparePhaseDeps, preparePhase } from '../effects/preparePhase.ts';
import { stopSession } from '../effects/stopSession.ts';
import { type WriteForgeDeps, writeForge } from '../effects/writeForge.ts';

/** Every port of every chart with the params that its chart gives it: a port left out does not compile. */
type PortsOf<Inputs> = { [Name in keyof Inputs]: Port<Inputs[Name]> };

/** Joins the effects that the charts name with their implementations. The only place that does. */
export const providePorts = (deps: OpenSessionDeps & PreparePhaseDeps & WriteForgePortDeps) =>
  ({
    'phase.prepare': preparePhase(deps),
    'session.open': openSession(deps),
    'session.stop': stopSession(deps.sessions),
    'forge.write': writeForge(deps.writes),
  }) satisfies PortsOf<JobPorts>;

interface WriteForgePortDeps {
  writes: WriteForgeDeps;
}
