import '../../src/host/start/stateWriter.ts';
