//! The feed of a client as a partner reads it: the handshake, the socket, and the subscription behind it.

pub mod socket;
pub mod subscription;

#[cfg(test)]
mod tests;
