import '../../src/start/stateWriter.ts';
