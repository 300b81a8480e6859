import { measureCanary } from './measure.ts';

/** A process of its own, so that the runner goes on working: prints the figures as JSON. */
process.stdout.write(JSON.stringify(measureCanary(process.argv[2] as string)));
