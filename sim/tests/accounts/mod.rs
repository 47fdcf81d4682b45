//! Accounts: opened, approved, held, booked on, closed.

mod applications;
mod approval;
mod bookings;
mod closing;
mod death;
mod entities;
mod kyc;
mod kyc_years;
mod openings;
mod paid_again;
mod performance;
