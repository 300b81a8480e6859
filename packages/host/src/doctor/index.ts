export {
  DOCTOR_STATUSES,
  type DoctorFinding,
  type DoctorStatus,
  type DoctorVerdict,
  doctorVerdict,
} from './finding.ts';
export { type DoctorOptions, runDoctor } from './run-doctor.ts';
