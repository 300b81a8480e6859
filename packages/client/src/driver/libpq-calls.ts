import koffi from 'koffi';

const NoticeReceiver = koffi.proto('void IbenchNoticeReceiver(void *argument, uintptr_t result)');

/**
 * The calls of libpq that are used. Handles travel as plain numbers: a pointer would be a BigInt,
 * one more allocation for each statement.
 */
export function bind(path: string) {
  const lib = load(path);
  return {
    libVersion: lib.func('int PQlibVersion()'),
    connectdb: lib.func('uintptr_t PQconnectdb(const char *conninfo)'),
    status: lib.func('int PQstatus(uintptr_t conn)'),
    errorMessage: lib.func('const char *PQerrorMessage(uintptr_t conn)'),
    finish: lib.func('void PQfinish(uintptr_t conn)'),
    backendPid: lib.func('int PQbackendPID(uintptr_t conn)'),
    sendQuery: lib.func('int PQsendQuery(uintptr_t conn, uintptr_t text)'),
    prepare: lib.func(
      'uintptr_t PQprepare(uintptr_t conn, const char *name, const char *query, int n, const uint32_t *types)',
    ),
    sendQueryPrepared: lib.func(
      'int PQsendQueryPrepared(uintptr_t conn, uintptr_t name, int n, uintptr_t values, uintptr_t lengths, uintptr_t formats, int resultFormat)',
    ),
    getResult: lib.func('uintptr_t PQgetResult(uintptr_t conn)'),
    resultStatus: lib.func('int PQresultStatus(uintptr_t result)'),
    resultErrorField: lib.func('const char *PQresultErrorField(uintptr_t result, int field)'),
    resultErrorMessage: lib.func('const char *PQresultErrorMessage(uintptr_t result)'),
    ntuples: lib.func('int PQntuples(uintptr_t result)'),
    cmdTuples: lib.func('const char *PQcmdTuples(uintptr_t result)'),
    getvalue: lib.func('const char *PQgetvalue(uintptr_t result, int row, int column)'),
    getisnull: lib.func('int PQgetisnull(uintptr_t result, int row, int column)'),
    clear: lib.func('void PQclear(uintptr_t result)'),
    putCopyData: lib.func('int PQputCopyData(uintptr_t conn, uintptr_t data, int length)'),
    putCopyEnd: lib.func('int PQputCopyEnd(uintptr_t conn, const char *error)'),
    enterPipelineMode: lib.func('int PQenterPipelineMode(uintptr_t conn)'),
    exitPipelineMode: lib.func('int PQexitPipelineMode(uintptr_t conn)'),
    pipelineSync: lib.func('int PQpipelineSync(uintptr_t conn)'),
    consumeInput: lib.func('int PQconsumeInput(uintptr_t conn)'),
    isBusy: lib.func('int PQisBusy(uintptr_t conn)'),
    setNoticeReceiver: lib.func(
      'void *PQsetNoticeReceiver(uintptr_t conn, IbenchNoticeReceiver *receiver, void *argument)',
    ),
  };
}

/** The functions of a libpq that was loaded. */
export type Libpq = ReturnType<typeof bind>;

function load(path: string): ReturnType<typeof koffi.load> {
  try {
    return koffi.load(path, { deep: true });
  } catch (cause) {
    throw new Error(
      `libpq cannot be loaded from ${path}: ${(cause as Error).message}; name another with --libpq, or use --driver postgres.js`,
      { cause },
    );
  }
}

/** Has every notice on a connection, a result that lives as long as the call, given to a function. */
export function onNotice(pq: Libpq, conn: number, receive: (result: number) => void): void {
  const receiver = koffi.register(
    (_argument: unknown, result: number) => receive(result),
    koffi.pointer(NoticeReceiver),
  );
  pq.setNoticeReceiver(conn, receiver, null);
}
