export { collectHostFacts, type HostFacts, readHostFacts } from './collect.ts';
export { parseMeminfo } from './memory.ts';
export { readNames, readNumber, readText } from './read-file.ts';
export { runTool, type ToolRun } from './run-tool.ts';
export { type HostSource, thisHost } from './source.ts';
