/** Settings that the runner decides, with the reason a user is told. */
export const OWNED_SETTINGS: Readonly<Record<string, string>> = {
  data_directory: 'a run has a data directory of its own',
  hba_file: 'a run has a data directory of its own',
  ident_file: 'a run has a data directory of its own',
  config_file: 'a run has a data directory of its own',
  external_pid_file: 'the runner keeps track of the server',
  unix_socket_directories: 'the socket is in a private directory',
  unix_socket_permissions: 'the socket is in a private directory',
  listen_addresses: 'use --listen for a loopback port',
  port: 'use --listen for a loopback port',
  logging_collector: "the server's log is kept by the runner",
  log_destination: "the server's log is kept by the runner",
};
